import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { memoryBackend, timerScheduler } from '@genmount/core'
import type { SharedStore } from './mortal-process.ts'

/** Jobs in memory that outlive what is taken for a process here. */
export function sharedMemory(): SharedStore {
  const { jobs, signals } = memoryBackend()
  return {
    connect(clock) {
      const scheduler = timerScheduler(clock)
      return { jobs, signals, scheduler, durable: true, close: () => scheduler.stop() }
    },
  }
}

/** A SQLite file of its own, which every process opens for itself. */
export function sharedSqlite(): SharedStore {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-endurance-'))
  return {
    connect: (clock) => sqliteBackend({ file: join(folder, 'jobs.db'), clock }),
    close: () => rmSync(folder, { recursive: true }),
  }
}
