import { postgresBackend } from '@genmount/backend-postgres'
import { jobSignalsSuite, jobStoreSuite } from '@genmount/testing'
import pg from 'pg'
import type { onTestFinished } from 'vitest'
import { startPgbouncer } from '../postgres/start-pgbouncer.ts'
import { newSchema } from '../postgres/temporary-database.ts'

/** @returns which cases of the conformance suites fail behind pgbouncer, where connections change hands, and why */
export async function failuresBehindPgbouncer(
  url: string,
  choose: (titles: readonly string[]) => readonly string[],
  onFinished: typeof onTestFinished,
): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: await startPgbouncer(url, onFinished), max: 8 })
  const make = () => postgresBackend({ pool, schema: newSchema() })
  const suite = {
    ...jobStoreSuite(() => {
      const { jobs, close } = make()
      return { store: jobs, close }
    }),
    ...jobSignalsSuite(() => {
      const { signals, close } = make()
      return { signals, close }
    }),
  }
  const failing: string[] = []
  for (const title of choose(Object.keys(suite)))
    await suite[title]?.().catch((error: unknown) => failing.push(`${title}: ${error}`))
  await pool.end()
  return failing
}
