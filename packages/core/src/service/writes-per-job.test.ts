import { fakeWorld, survivingStore } from '@genmount/testing'
import { expect, test } from 'vitest'

/** A world whose store counts its calls, and whose backend knows which processes have ended, as SQLite does. */
function countedWorld(fake: Parameters<typeof fakeWorld>[0]) {
  const calls = { writes: 0, reads: 0 }
  const world = fakeWorld(fake)
  const { clock, jobs } = world
  const counted = survivingStore(clock).connect({
    insert: (job) => (calls.writes++, jobs.insert(job)),
    replace: (job, revision) => (calls.writes++, jobs.replace(job, revision)),
    get: (id, owner) => (calls.reads++, jobs.get(id, owner)),
    findByIdempotencyKey: (key, now) => (calls.reads++, jobs.findByIdempotencyKey(key, now)),
  })
  const processes = { id: 'this', hasEnded: async () => false, leftBehind: async () => [] }
  const service = world.serviceOver({ backend: { ...counted, processes } })
  const create = () => service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  return { ...world, service, create, calls }
}

test.each([
  [2, 'whose vendor can find its tasks', { find: true }],
  [2, 'whose vendor dedupes submits', { dedupesSubmits: true }],
  [3, 'whose vendor can say nothing about a submit', {}],
])(
  'a job that ends in its submit takes %i writes, and one read for each waiter: %s',
  async (writes, _, fake) => {
    const { clock, service, create, calls } = countedWorld({
      ...fake,
      behave: [{ outputs: [{ url: 'https://cdn.test/1.png' }] }],
    })
    const { job } = await create()
    const waiting = service.waitFor(job.id, 'alice')
    await clock.advance(1000)
    expect(await waiting).toMatchObject({ phase: 'completed' })
    expect(calls).toEqual({ writes, reads: 1 })
  },
)

test('a job with polls takes three writes, one write for each poll, and hardly any read', async () => {
  const { clock, provider, jobs, create, calls } = countedWorld({
    dedupesSubmits: true,
    behave: [{ delayMs: 60_000 }],
  })
  const { job } = await create()
  await clock.advance(120_000)
  expect(await jobs.get(job.id)).toMatchObject({ phase: 'completed' })
  const polls = provider.polls.length
  expect(polls).toBeGreaterThan(5)
  expect(calls.writes).toBeLessThanOrEqual(3 + polls)
  // A poll that comes more than 15 seconds after the one before.
  expect(calls.reads).toBeLessThanOrEqual(3)
})

test('a job whose provider says when to poll again takes no further writes', async () => {
  const { clock, provider, create, calls } = countedWorld({
    dedupesSubmits: true,
    behave: [{ delayMs: 60_000, pollAfterMs: 5000 }],
  })
  await create()
  await clock.advance(120_000)
  const polls = provider.polls.length
  expect(polls).toBeGreaterThan(10)
  expect(calls.writes).toBe(2 + polls)
})
