import { describe, expect, test } from 'vitest'
import { fakeProvider, fakeWorld } from '@genmount/testing'
import { memoryFileStore } from '../defaults/memory-file-store.ts'

const never = new Promise<never>(() => {})

/** The answer of `health`, and how many milliseconds of the clock it took. */
async function asked({ clock }: Pick<ReturnType<typeof fakeWorld>, 'clock'>, health: () => Promise<unknown>) {
  const from = clock.uptime()
  const answer = health().then((value) => ({ value, tookMs: clock.uptime() - from }))
  await clock.advance(5000)
  return answer
}

test('the health of an idle service is ok, and reading it does not start the service', async () => {
  const { service, log, clock } = fakeWorld()
  expect(await service.health()).toEqual({
    status: 'ok',
    store: { isReachable: true, latencyMs: 0 },
    due: { count: 0, oldestLagMs: 0 },
    clock: { isBelieved: false, believedAt: clock.now() + 3_600_000 },
    waiters: 0,
    stepsUnderWay: 0,
    providers: [{ name: 'fake', breaker: 'closed', stepsUnderWay: 0, stepsWaiting: 0 }],
  })
  expect(log.lines).toEqual([])
  expect(clock.pendingTimers).toBe(0)
})

test('health counts waiters, steps under way and due jobs, with the age of the oldest', async () => {
  const world = fakeWorld({ behave: [{ answer: 'hang' }] })
  const slow = { ...world.provider, maxConcurrentJobs: 2 }
  const other = fakeProvider({ name: 'other', models: [] })
  const service = world.serviceOver({ providers: [slow, other] })
  for (let index = 0; index < 5; index++) {
    const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
    void service.waitFor(job.id, 'alice')
  }
  await world.clock.advance(3000)
  expect(await service.health()).toMatchObject({
    status: 'ok',
    due: { count: 3, oldestLagMs: 3000 },
    waiters: 5,
    stepsUnderWay: 2,
    providers: [
      { name: 'fake', stepsUnderWay: 2, stepsWaiting: 3 },
      { name: 'other', stepsUnderWay: 0, stepsWaiting: 0 },
    ],
  })
  const closed = service.close()
  await world.clock.advance(90_000)
  await closed
})

test('in health, a job whose claim has run out is late from that instant, and not from when its step was due', async () => {
  const world = fakeWorld({ behave: [{ answer: 'hang' }] })
  const doomed = world.start()
  await doomed.service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  doomed.die()
  await world.clock.advance(31_000)
  expect(await world.service.health()).toMatchObject({ due: { count: 1, oldestLagMs: 1000 } })
})

test('health counts more than 100 due jobs as 100', async () => {
  const { serviceOver } = fakeWorld({}, { jobs: { due: async (_now, limit) => Array(limit).fill('gen_0') } })
  expect((await serviceOver().health()).due).toEqual({ count: 100, oldestLagMs: 0 })
})

test('a provider with an open breaker makes the health degraded, and is named', async () => {
  const world = fakeWorld({ behave: [{ answer: 'server_error' }] })
  for (let index = 0; index < 5; index++) await world.create()
  await world.clock.advance(1000)
  const { status, providers } = await world.service.health()
  expect([status, providers[0]?.breaker]).toEqual(['degraded', 'open'])
  // After the pause the provider would be tried with one job, but there is no job.
  await world.clock.advance(60_000)
  expect((await world.service.health()).providers[0]?.breaker).toBe('open')
})

describe('a job store', () => {
  const troubles = {
    'that fails': async () => {
      throw new Error('password=hunter2')
    },
    'that throws': () => {
      throw new Error('password=hunter2')
    },
    'that hangs': () => never,
    'that answers nonsense': async () => undefined as never,
  }
  test.each(Object.entries(troubles))(
    'health says within two seconds that %s is not reachable, without its message',
    async (_how, due) => {
      const world = fakeWorld({}, { jobs: { due } })
      const { value, tookMs } = await asked(world, world.serviceOver().health)
      expect(value).toMatchObject({ status: 'unavailable', store: { isReachable: false } })
      expect(value).not.toHaveProperty('due')
      expect(JSON.stringify(value)).not.toContain('hunter2')
      expect(tookMs).toBeLessThanOrEqual(2200)
    },
  )

  test('is asked for its health at most once a second', async () => {
    let reads = 0
    const world = fakeWorld(
      {},
      {
        jobs: {
          async due() {
            reads++
            return []
          },
        },
      },
    )
    const service = world.serviceOver()
    for (let second = 0; second < 3; second++) {
      for (let tenth = 0; tenth < 10; tenth++) {
        await Promise.all(Array.from({ length: 10 }, service.health))
        await world.clock.advance(100)
      }
      expect(reads).toBe(second + 1)
    }
  })

  test('that hangs is asked for its health once, until its time is up', async () => {
    let reads = 0
    const due = () => (reads++, never)
    const world = fakeWorld({}, { jobs: { due } })
    const service = world.serviceOver()
    for (let tenth = 0; tenth < 20; tenth++) {
      void service.health()
      await world.clock.advance(100)
    }
    expect(reads).toBe(1)
  })
})

test('health says that the service is closing or closed', async () => {
  const world = fakeWorld({ behave: [{ answer: 'hang' }] }, { files: memoryFileStore() })
  await world.create()
  await world.clock.advance(100)
  expect(world.service.isClosing).toBe(false)
  const closed = world.service.close({ timeoutMs: 1000 })
  expect(world.service.isClosing).toBe(true)
  expect(await world.service.health()).toMatchObject({
    status: 'closing',
    store: { isReachable: true },
    stepsUnderWay: 1,
  })
  await world.clock.advance(5000)
  await closed
  expect(await world.service.health()).toMatchObject({ status: 'closing', stepsUnderWay: 0 })
})

test('while the service closes, jobs can be read, but none is created', async () => {
  const world = fakeWorld({ behave: [{ answer: 'hang' }] })
  const { id } = await world.create()
  await world.clock.advance(100)
  const closed = world.service.close({ timeoutMs: 5000 })
  const read = [world.service.get(id, 'alice'), world.service.waitFor(id, 'alice')]
  for (const job of await Promise.all(read)) expect(job).toMatchObject({ id, phase: 'submitting' })
  await expect(world.service.get(id, 'bob')).rejects.toMatchObject({ code: 'job_not_found' })
  await expect(world.create()).rejects.toMatchObject({ code: 'shutting_down' })
  await world.clock.advance(10_000)
  await closed
})
