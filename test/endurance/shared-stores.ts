import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { type JobStore, memoryBackend, timerScheduler } from '@genmount/core'
import type { SharedStore } from './mortal-process.ts'

/**
 * Jobs in memory that outlive what is taken for a process here.
 * @param watched the store as all processes see it
 */
export function sharedMemory(watched: (jobs: JobStore) => JobStore = (jobs) => jobs): SharedStore {
  const { signals, ...backend } = memoryBackend()
  const jobs = watched(backend.jobs)
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
