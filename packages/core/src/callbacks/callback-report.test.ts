import { expect, test } from 'vitest'
import type { ProcessChanges } from '@genmount/testing'
import type { CallbackRequest } from '../contracts/callback-request.ts'
import type { Provider } from '../contracts/provider.ts'
import type { ProviderReport } from '../contracts/provider-report.ts'
import { callbackWorld } from '../test-kit/callback-world.ts'

const url = 'https://vendor.example/fox.png'
const ready: ProviderReport = { state: 'succeeded', outputs: [{ url }], costUsd: 0.25 }
const running: ProviderReport = { state: 'running', handle: 'task-1' }
const assumed: ProviderReport = { ...running, isAssumed: true }
const signed: CallbackRequest = { headers: { signature: 'good' }, body: new Uint8Array() }
const never = new Promise<never>(() => {})

/** A vendor whose signed callbacks bring this report. */
function setUp(provider: Partial<Provider>, report: ProviderReport = ready, changes: ProcessChanges = {}) {
  const world = callbackWorld(
    {},
    {
      ...changes,
      provider: {
        submit: async () => running,
        poll: async () => assumed,
        readCallback: async ({ headers }) => {
          if (headers['signature'] !== 'good') throw new Error('Not signed.')
          return { handle: 'task-1', report }
        },
        ...provider,
      },
    },
  )
  const { service, clock } = world
  const calledBack = (id: string, request = signed) => service.receiveCallback(id, request)
  const read = (id: string) => service.get(id, 'alice')
  return { ...world, calledBack, read, pass: (ms: number) => clock.advance(ms) }
}

const done = { phase: 'completed', costUsd: 0.25, outputs: [{ url }] }

test.each<[string, Provider['poll']]>([
  ['can only assume that the task runs', async () => assumed],
  ['does not know the task', async () => ({ state: 'unknown', message: 'No such task.' })],
  ['is refused', async () => ({ state: 'refused', message: 'Too many.' })],
  ['gets no answer', async () => Promise.reject(new Error('reset'))],
  [
    'says that the result is gone',
    async () => ({ state: 'failed', code: 'provider_lost', message: 'The result is gone.' }),
  ],
])('a signed callback brings the result of a job whose poll %s', async (_what, poll) => {
  const { create, calledBack, read, pass, urls } = setUp({ poll })
  const { id } = await create()
  expect(await calledBack(id)).toBe(true)
  await pass(3000)
  const job = await read(id)
  expect(job).toMatchObject(done)
  expect(job.reported).toBeUndefined()
  for (let n = 0; n < 3; n++) await calledBack(id)
  await pass(60_000)
  expect([await read(id), urls.length]).toEqual([job, 1])
})

test('the answer to a poll is better than a callback, because it has the cost', async () => {
  const poll = async () => ({ ...ready, costUsd: 0.5 }) as ProviderReport
  const { create, calledBack, read, pass } = setUp({ poll })
  const { id } = await create()
  await calledBack(id)
  await pass(3000)
  expect(await read(id)).toMatchObject({ ...done, costUsd: 0.5 })
})

test('a callback does not complete a job whose vendor still says that it runs, before the job has no more time', async () => {
  const { create, calledBack, read, pass } = setUp({ poll: async () => running }, ready, {
    deadlineMs: 300_000,
  })
  const { id } = await create()
  await calledBack(id)
  await pass(200_000)
  expect(await read(id)).toMatchObject({ phase: 'running', outputs: [] })
  await pass(110_000)
  expect(await read(id)).toMatchObject(done)
})

test('a callback that is not genuine brings nothing', async () => {
  const { create, calledBack, read, pass } = setUp({})
  const { id } = await create()
  expect(await calledBack(id, { ...signed, headers: {} })).toBe(false)
  await pass(3000)
  expect(await read(id)).toMatchObject({ phase: 'running', outputs: [] })
})

test('a signed callback brings the vendor’s reason and cost of a failure', async () => {
  const failure = { state: 'failed', code: 'content_policy', message: 'Moderated.', costUsd: 0.1 } as const
  const { create, calledBack, read, pass } = setUp({}, failure)
  const { id } = await create()
  await calledBack(id)
  await pass(3000)
  expect(await read(id)).toMatchObject({
    phase: 'failed',
    costUsd: 0.1,
    error: { code: 'content_policy', message: 'Moderated.' },
  })
})

test.each<[string, ProviderReport]>([
  ['still runs', running],
  ['has outputs as bytes', { state: 'succeeded', outputs: [{ bytes: Uint8Array.of(1) }] }],
  ['has a report that is too long', { ...ready, outputs: [{ url: `${url}?${'x'.repeat(70_000)}` }] }],
  ['has a report that can not be read', { state: 'done' } as never],
])('a signed callback about a task that %s only makes the service poll', async (_what, report) => {
  let polls = 0
  const { create, calledBack, read, pass } = setUp({ poll: async () => (polls++, running) }, report)
  const { id } = await create()
  await pass(2000)
  const before = polls
  expect(await calledBack(id)).toBe(true)
  await pass(1500)
  expect(polls).toBeGreaterThan(before)
  expect(await read(id)).toMatchObject({ phase: 'running' })
})

test('a callback that comes before the answer to the submit brings the result', async () => {
  const answer = Promise.withResolvers<ProviderReport>()
  const { create, calledBack, read, pass, urls } = setUp({ submit: () => answer.promise })
  const { id } = await create()
  await calledBack(id)
  await pass(2000)
  answer.resolve(running)
  await pass(5000)
  expect(await read(id)).toMatchObject(done)
  expect(urls).toHaveLength(1)
})

test('a callback that comes after the answer to the submit was lost brings the result, also when the job has failed', async () => {
  for (const waitMs of [1000, 20 * 60_000]) {
    const submit = async () => Promise.reject(new Error('reset'))
    const { create, calledBack, read, pass, urls } = setUp({ submit })
    const { id } = await create()
    await pass(waitMs)
    expect((await read(id)).phase).toBe(waitMs === 1000 ? 'submitting' : 'failed')
    await calledBack(id)
    await pass(5000)
    expect(await read(id)).toMatchObject(done)
    expect(urls).toHaveLength(1)
  }
})

test('a callback that comes during a poll wins over the poll that then loses the task', async () => {
  const answer = Promise.withResolvers<ProviderReport>()
  let polls = 0
  const poll = () => (polls++ === 0 ? answer.promise : Promise.resolve(assumed))
  const { create, calledBack, read, pass } = setUp({ poll })
  const { id } = await create()
  await pass(5000)
  expect(polls).toBe(1)
  await calledBack(id)
  answer.resolve({ state: 'failed', code: 'provider_lost', message: 'It is gone.' })
  await pass(5000)
  expect(await read(id)).toMatchObject(done)
})

test.each(['cancel first', 'callback first'])(
  'a job that is canceled while its callback brings the result is completed, because it is paid for (%s)',
  async (order) => {
    const { create, calledBack, read, pass, service } = setUp({ cancel: async () => {} })
    const { id } = await create()
    await pass(2000)
    const cancel = () => void service.cancel(id, 'alice').catch(() => {})
    if (order === 'cancel first') cancel()
    await calledBack(id)
    cancel()
    await pass(30_000)
    expect(await read(id)).toMatchObject(done)
  },
)

test('a callback that comes before the deadline brings the result, although no poll is answered until then', async () => {
  const { create, calledBack, read, pass } = setUp({ poll: () => never, callTimeoutMs: 60_000 }, ready, {
    deadlineMs: 30_000,
  })
  const { id } = await create()
  await pass(29_000)
  await calledBack(id)
  await pass(180_000)
  expect(await read(id)).toMatchObject(done)
})

test('the result of a callback is in the store before the callback is answered, so that it outlives its process', async () => {
  const { create, calledBack, pass, jobs } = setUp({ poll: () => never })
  const { id } = await create()
  await pass(5000)
  await calledBack(id)
  expect(await jobs.get(id)).toMatchObject({ phase: 'running', reported: ready })
})
