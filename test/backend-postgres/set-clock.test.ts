// @module-tag needs/faketime
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { exampleJob, type FakeBehaviour, type FakeProvider, fakeProvider, quietLog } from '@genmount/testing'
import { created } from '../created.ts'
import { type SettablePostgres, startSettablePostgres } from '../postgres/start-settable-postgres.ts'
import { newSchema } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'
import { nodeOn } from './two-nodes.ts'

const hourMs = 60 * 60_000

let server: SettablePostgres
beforeAll(async () => {
  server = await startSettablePostgres()
})
afterAll(() => server.stop())

const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

/**
 * A service on the database, whose provider has tasks that behave so.
 * @param options `answer` is what the answers to submits wait for, after the vendor has taken the task on
 */
function serviceWith(
  behave: FakeBehaviour,
  {
    answer,
    schema = newSchema(),
    provider = fakeProvider({ behave: () => behave }),
  }: { readonly answer?: Promise<void>; readonly schema?: string; readonly provider?: FakeProvider } = {},
) {
  const submit: typeof provider.submit = async (...call) => {
    const report = await provider.submit(...call)
    await answer
    return report
  }
  const { backend } = nodeOn(server.url('postgres'), schema)
  const log = quietLog()
  const service = createGenerationService({ providers: [{ ...provider, submit }], backend, log })
  return { backend, service, provider, log }
}

test.each([5000, hourMs])(
  'a running job and one that is created meanwhile are completed when the clock of Postgres is set ahead by %d ms',
  async (aheadMs) => {
    server.setClock(0)
    const { service, provider, log, backend } = serviceWith({ delayMs: 4000, pollAfterMs: 500 })
    await backend.ready?.()
    const job = await created(service, request)
    await until(() => provider.polls.length > 0)
    server.setClock(aheadMs)
    await until(() => Math.abs(service.clock.now() - server.now()) < 500)
    const meanwhile = await created(service, request)
    const phases = async () =>
      Promise.all([job, meanwhile].map(async ({ id }) => (await service.get(id, 'alice')).phase))
    await until(async () => (await phases()).every((phase) => phase !== 'running'), 20_000).catch(() => {})
    const others = log.errors.filter((line) => !line.startsWith('The clock was set ahead'))
    expect([await phases(), others]).toEqual([['completed', 'completed'], []])
    expect(provider.ledger).toHaveLength(2)
    await service.close()
  },
)

test('the paid answer to a submit is stored although the clock of Postgres was set during the submit', async () => {
  server.setClock(0)
  const answer = Promise.withResolvers<void>()
  const { service, provider, backend } = serviceWith(
    { delayMs: 500, pollAfterMs: 500 },
    { answer: answer.promise },
  )
  await backend.ready?.()
  const job = await created(service, request)
  await until(() => provider.ledger.length > 0)
  server.setClock(hourMs)
  await until(() => Math.abs(service.clock.now() - server.now()) < 500)
  answer.resolve()
  await until(async () => (await service.get(job.id, 'alice')).phase === 'completed', 20_000)
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('no job is deleted when the clock of Postgres is set 8 days ahead, and a running one is completed, also by a node that starts meanwhile', async () => {
  server.setClock(0)
  const schema = newSchema()
  const { service, provider, log, backend } = serviceWith({ delayMs: 3000, pollAfterMs: 500 }, { schema })
  await backend.ready?.()
  const done = await created(service, request)
  const phaseOf = async (id: string) => (await service.get(id, 'alice')).phase
  await until(async () => (await phaseOf(done.id)) === 'completed')
  const running = await created(service, request)
  await until(async () => (await phaseOf(running.id)) === 'running')
  server.setClock(8 * 24 * hourMs)
  await until(() => Math.abs(service.clock.now() - server.now()) < 500)
  const other = serviceWith({}, { schema, provider })
  other.service.start()
  await until(async () => (await phaseOf(running.id)) !== 'running')
  // Each node sweeps again.
  await new Promise((resolve) => setTimeout(resolve, 6000))
  expect([await phaseOf(done.id), await phaseOf(running.id)]).toEqual(['completed', 'completed'])
  for (const { id } of [done, running])
    expect(await other.backend.jobs.get(id)).toMatchObject({ phase: 'completed' })
  expect(log.errors.filter((line) => line.startsWith('The clock was set ahead by 8 d'))).toHaveLength(1)
  await service.close()
  await other.service.close()
})

test('a process that died while the clock of Postgres was an hour ahead counts as ended when the clock is right again', async () => {
  server.setClock(hourMs)
  const schema = newSchema()
  const { pool, processes } = nodeOn(server.url('postgres'), schema)
  await processes.leftBehind(1)
  // The row of a process that was killed: nobody holds its lock.
  await beat(pool, schema, 'dead')
  server.setClock(0)
  await until(() => processes.hasEnded('dead'), 20_000)
})

test('a process without a session that lives counts as ended at no time when the clock of Postgres is set ahead by an hour', async () => {
  server.setClock(0)
  const schema = newSchema()
  const { pool, processes } = nodeOn(server.url('postgres'), schema)
  await processes.leftBehind(1)
  // It can judge as soon as it sees that another one has ended.
  await pool.query(
    `INSERT INTO ${schema}.processes (id, has_session, seen_at) VALUES ('dead', false, '2020-01-01')`,
  )
  await beat(pool, schema, 'living')
  await until(() => processes.hasEnded('dead'), 20_000)
  await beat(pool, schema, 'living')
  server.setClock(hourMs)
  const verdicts: boolean[] = []
  for (let round = 0; round < 40; round++) {
    verdicts.push(await processes.hasEnded('living'))
    if (round % 4 === 3) await beat(pool, schema, 'living')
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  expect(verdicts).not.toContain(true)
  expect(await processes.hasEnded('dead')).toBe(true)
})

/** Writes that a process without a session lives. */
async function beat(pool: pg.Pool, schema: string, id: string): Promise<void> {
  await pool.query(
    `INSERT INTO ${schema}.processes (id, has_session, seen_at) VALUES ($1, false, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`,
    [id],
  )
}

test('a node that reads a job has the time of Postgres at once, although the clock was set since its latest beat', async () => {
  server.setClock(0)
  const schema = newSchema()
  const nodes = [nodeOn(server.url('postgres'), schema), nodeOn(server.url('postgres'), schema)]
  for (const { jobs } of nodes) await jobs.get('gen_none')
  const [writer, reader] = nodes
  await writer?.jobs.insert(exampleJob({ id: 'gen_one' }))
  for (const aheadMs of [8 * 24 * hourMs, -24 * hourMs, 0]) {
    server.setClock(aheadMs)
    const read = () => reader?.jobs.get('gen_one')
    for (const job of await Promise.all([read(), read()])) expect(job).toBeDefined()
    expect(Math.abs((reader?.clock?.now() ?? 0) - server.now())).toBeLessThan(500)
  }
})
