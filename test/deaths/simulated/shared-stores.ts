import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { memoryBackend, timerScheduler } from '@genmount/core'
import { schemasInTurn } from '../../postgres/schemas-in-turn.ts'
import { databaseOfFile, newSchema } from '../../postgres/temporary-database.ts'
import type { SharedStore } from './mortal-process.ts'

/** A store in memory that outlives the processes of this test. */
export function sharedMemory(): SharedStore {
  const { signals, jobs } = memoryBackend()
  return {
    connect(clock) {
      const scheduler = timerScheduler(clock)
      return { jobs, signals, scheduler, durable: true, close: () => scheduler.stop() }
    },
  }
}

/** A new SQLite file, which every process opens for itself. */
export function sharedSqlite(): SharedStore {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-deaths-'))
  return {
    connect: (clock) => sqliteBackend({ file: join(folder, 'jobs.db'), clock }),
    close: () => rmSync(folder, { recursive: true }),
  }
}

/** A schema without jobs in a Postgres database. Every process has connections of its own. */
export async function postgresStores(): Promise<() => SharedStore> {
  const connectionString = await databaseOfFile()
  const cleaning = new pg.Pool({ connectionString, max: 1, allowExitOnIdle: true })
  cleaning.on('error', () => {})
  const lend = schemasInTurn(() => cleaning, newSchema)
  return () => {
    const { name: schema, giveBack } = lend()
    return {
      close: giveBack,
      connect(clock) {
        const pool = new pg.Pool({ connectionString, max: 5 })
        pool.on('error', () => {})
        const backend = postgresBackend({ pool, schema, clock })
        return { ...backend, close: () => backend.close().finally(() => pool.end()) }
      },
    }
  }
}
