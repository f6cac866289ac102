import { postgresBackend, type PostgresPool } from '@genmount/backend-postgres'
import { jobSignalsSuite, jobStoreSuite } from '@genmount/testing'
import { type AskedPool, schemasInTurn } from '../postgres/schemas-in-turn.ts'

/**
 * The suites of jobs and signals on Postgres.
 * @param newName the name of a schema that nobody has used yet
 */
export function suitesInTurn(pool: () => PostgresPool & AskedPool, newName: () => string) {
  const lend = schemasInTurn(pool, newName)
  function lentBackend() {
    const { name, giveBack } = lend()
    const backend = postgresBackend({ pool: pool(), schema: name })
    const close = () => backend.close().then(giveBack)
    return { ...backend, close }
  }
  return {
    jobs: jobStoreSuite(() => {
      const { jobs, close } = lentBackend()
      return { store: jobs, close }
    }),
    signals: jobSignalsSuite(() => {
      const { signals, close } = lentBackend()
      return { signals, close }
    }),
  }
}
