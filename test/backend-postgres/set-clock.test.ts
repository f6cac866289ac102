// @module-tag needs/faketime
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { type FakeBehaviour, type FakeProvider, fakeProvider, quietLog } from '@genmount/testing'
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
