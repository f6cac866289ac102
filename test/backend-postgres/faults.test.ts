import pg from 'pg'
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest'
import { createGenerationService, type GenerationError } from '@genmount/core'
import { postgresBackend } from '@genmount/backend-postgres'
import { exampleJob, fakeProvider, quietLog } from '@genmount/testing'
import { type StartedPostgres, startPostgres } from '../postgres/start-postgres.ts'
import { startTcpProxy, type TcpProxy } from '../start-tcp-proxy.ts'
import { databaseOfFile, newSchema, poolOf } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'
import { locksOf, nodeOn, terminateOthers } from './two-nodes.ts'

/** A server of their own for the tests that restart it or change its settings. */
let server: StartedPostgres

beforeAll(async () => {
  server = await startPostgres(['fsync=off'])
})
afterAll(() => server.stop())

interface Trouble {
  begin(proxy: TcpProxy, direct: pg.Pool): Promise<void> | void
  /** Ends the trouble. Absent if the trouble ends by itself. */
  heal?(proxy: TcpProxy): void
  /** Whether the trouble is so short that creates can succeed during it. */
  readonly isShort?: boolean
}

const restart: Trouble = { begin: () => server.restart(1500), isShort: true }

const troubles: Record<string, Trouble> = {
  'ends all connections': { begin: (_proxy, direct) => terminateOthers(direct), isShort: true },
  'stands still': { begin: (proxy) => proxy.freeze(true), heal: (proxy) => proxy.freeze(false) },
  'takes 5 seconds to answer': { begin: (proxy) => proxy.delay(2500), heal: (proxy) => proxy.delay(0) },
  'resets all connections': { begin: (proxy) => proxy.cut(true), heal: (proxy) => proxy.cut(false) },
}

/** How often clients create a job, in milliseconds. 0 is never. */
const paces = { idle: 0, busy: 20 }

/** A service whose connections to the database go through a proxy. */
async function setUp({ onTestFinished }: TestContext, database: string) {
  const url = new URL(database)
  const proxy = await startTcpProxy(Number(url.port), onTestFinished)
  url.port = String(proxy.port)
  const direct = poolOf(database, { max: 2 }, onTestFinished)
  const schema = newSchema()
  const pool = new pg.Pool({ connectionString: url.href, max: 5 })
  const provider = fakeProvider()
  const log = quietLog()
  const service = createGenerationService({
    providers: [provider],
    backend: postgresBackend({ pool, schema }),
    log,
  })
  onTestFinished(async () => {
    proxy.freeze(false)
    proxy.delay(0)
    proxy.cut(false)
    await service.close({ timeoutMs: 2000 })
    await pool.end()
  })
  await service.ready()
  const accepted: string[] = []
  const faults: unknown[] = []
  /** How long the answer took, in milliseconds. */
  const create = async () => {
    const from = performance.now()
    const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
    await service.create(request).then(
      ({ job }) => accepted.push(job.id),
      (fault: unknown) => faults.push(fault),
    )
    return performance.now() - from
  }
  return { proxy, direct, schema, provider, service, accepted, faults, create }
}

/** Checks what a service does in a trouble, while clients create a job every `everyMs` milliseconds. */
async function outlasts(
  { begin, heal, isShort = false }: Trouble,
  everyMs: number,
  context: TestContext,
  database: string,
): Promise<void> {
  const { proxy, direct, schema, provider, service, accepted, faults, create } = await setUp(
    context,
    database,
  )
  await until(async () => (await locksOf(direct, schema)) === 1)
  await create()
  const timer = everyMs > 0 ? setInterval(() => void create(), everyMs) : undefined
  context.onTestFinished(() => clearInterval(timer))
  await new Promise((resolve) => setTimeout(resolve, 300))

  const troubled = begin(proxy, direct)
  if (!isShort) {
    await troubled
    // The creates that were on their way when the trouble began have been answered before this one.
    expect(await create()).toBeLessThan(2500)
    const before = accepted.length
    expect(faults.length).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect(accepted.length).toBe(before)
  }
  await troubled
  await heal?.(proxy)

  const healed = accepted.length
  await until(async () => {
    await create()
    return accepted.length > healed
  }, 20_000)
  await until(async () => (await locksOf(direct, schema)) >= 1)
  clearInterval(timer)
  for (const fault of faults) expect(fault).toMatchObject({ code: 'store_unavailable' })
  for (const id of accepted) {
    const ended = async () => (await service.get(id, 'alice')).phase === 'completed'
    await until(() => ended().catch(() => false))
  }
  // Exactly the jobs that the owner was told of have been paid for.
  const paid = provider.ledger.map((entry) => entry.jobId)
  expect(paid.toSorted()).toEqual(accepted.toSorted())
}

for (const [trouble, how] of Object.entries(troubles))
  test.concurrent.for(Object.entries(paces))(
    `when Postgres ${trouble} while the service is %s, creates fail with store_unavailable, cost nothing, and succeed again within 5 s`,
    async ([, everyMs], context) => outlasts(how, everyMs, context, await databaseOfFile()),
  )

test.for(Object.entries(paces))(
  'when Postgres is restarted while the service is %s, creates fail with store_unavailable, cost nothing, and succeed again within 5 s',
  ([, everyMs], context) => outlasts(restart, everyMs, context, server.url('postgres')),
)

test.concurrent('the error of an unusable Postgres names the fault and contains no password', async ({
  onTestFinished,
}) => {
  const faultAt = async (url: string) => {
    const pool = new pg.Pool({ connectionString: url })
    onTestFinished(() => pool.end())
    const backend = postgresBackend({ pool, schema: newSchema() })
    onTestFinished(backend.close)
    return backend.ready?.().then(String, (error: Error) => error.message)
  }
  const url = server.url('postgres')
  const places = {
    refused: server.url('postgres', 1),
    password: url.replace(/:hush-[a-z]+@/, ':hush-wrong@'),
    database: server.url('no_such_database'),
  }
  const words = {
    refused: /can't be used: connect ECONNREFUSED 127\.0\.0\.1:1; no server accepts connections there/,
    password: /password authentication failed for user "postgres"; correct user and password/,
    database: /database "no_such_database" does not exist; create the database/,
  }
  for (const name of ['refused', 'password', 'database'] as const) {
    const message = await faultAt(places[name])
    expect(message).toMatch(words[name])
    expect(message).not.toContain('hush')
  }
})

test('when Postgres becomes read-only, creates fail with store_unavailable and words in the cause, and succeed once Postgres can be written', async (context) => {
  const { direct, faults, accepted, create } = await setUp(context, server.url('postgres'))
  const readOnly = async (isSo: boolean) => {
    const client = await direct.connect()
    await client.query('SET default_transaction_read_only = off')
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${isSo ? 'on' : 'off'}`)
    await client.query('SELECT pg_reload_conf()')
    client.release(true)
  }
  await readOnly(true)
  await until(async () => {
    await create()
    return faults.length > 0
  }, 20_000)
  expect((faults[0] as GenerationError).code).toBe('store_unavailable')
  expect(String((faults[0] as GenerationError).cause)).toContain('this server may only be read')
  await readOnly(false)
  const before = accepted.length
  await until(async () => {
    await create()
    return accepted.length > before
  }, 20_000)
})

test.concurrent('when no connection of the pool is free within 9 s, an insert rejects, stores nothing, and the next insert succeeds', async ({
  onTestFinished,
}) => {
  const schema = newSchema()
  const database = await databaseOfFile()
  const pool = new pg.Pool({ connectionString: database, max: 3 })
  const direct = poolOf(database, { max: 1 }, onTestFinished)
  const backend = postgresBackend({ pool, schema })
  onTestFinished(async () => {
    await backend.close()
    await pool.end()
  })
  await backend.ready?.()
  await until(async () => (await locksOf(direct, schema)) === 1)
  const held = [await pool.connect(), await pool.connect()]
  const fault = backend.jobs.insert(exampleJob()).catch((error: Error) => error)
  expect(await fault).toMatchObject({
    message: expect.stringContaining('no connection was free within 9 s'),
  })
  for (const client of held) client.release()
  expect(await backend.jobs.get('job-1')).toBeUndefined()
  expect(await backend.jobs.insert(exampleJob())).toEqual({ outcome: 'inserted' })
})

test('a job with a value that Postgres can not keep is refused as malformed, and not as if the database were away', async () => {
  const { jobs } = nodeOn(await databaseOfFile())
  await expect(jobs.insert(exampleJob({ revision: 2 ** 70 }))).rejects.toMatchObject({
    code: 'internal_error',
  })
  await jobs.insert(exampleJob())
  await expect(jobs.replace(exampleJob({ revision: 2 ** 70 }), 1)).rejects.toMatchObject({
    code: 'internal_error',
  })
  expect(await jobs.get('job-1')).toEqual(exampleJob())
})
