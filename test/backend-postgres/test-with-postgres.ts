import { postgresBackend } from '@genmount/backend-postgres'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { httpSuite, httpSuiteService } from '@genmount/testing/http'
import pg from 'pg'
import { afterAll, beforeAll, test, vi } from 'vitest'
import { listen } from '../loopback.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'

/** Tests promises of the /v1 interface on a service with its jobs in Postgres. */
export function testWithPostgres(choose: (promise: string) => boolean): void {
  vi.setConfig({ maxConcurrency: 16 })
  const promises = Object.keys(httpSuite({ baseUrl: 'http://127.0.0.1', keys: { alice: '', bob: '' } }))
  let suite: ReturnType<typeof httpSuite>
  let stop: () => Promise<void>

  beforeAll(async () => {
    const pool = new pg.Pool({ connectionString: await databaseOfFile() })
    pool.on('error', () => {})
    const { service, options, keys } = httpSuiteService({ backend: postgresBackend({ pool }) })
    await service.ready()
    const server = await listen(toNodeHandler(service, { ...options, authenticate: apiKeys(keys) }))
    suite = httpSuite({ baseUrl: server.origin, keys })
    stop = async () => {
      await service.close()
      await server.stop()
      await pool.end()
    }
  })
  afterAll(() => stop?.())

  test.concurrent.each(promises.filter(choose))('with jobs in Postgres: %s', (promise) => suite[promise]?.())
}
