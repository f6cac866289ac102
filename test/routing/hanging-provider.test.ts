import { expect, test } from 'vitest'
import type { Job, Provider } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { type RoutedWorld, routedWorld } from './routed-world.ts'

const hangs = { behave: [{ submit: 'hang' as const }] as const }

/** Jobs that another process has left behind, as the store has them. */
async function leaveBehind(world: RoutedWorld, count: number, model: string, changes: Partial<Job> = {}) {
  const createdAt = Math.floor(world.clock.now())
  const jobs = Array.from({ length: count }, (_, i) =>
    exampleJob({
      id: `${model}-${i}`,
      model,
      route: `${model}/fake-image`,
      phase: 'running',
      createdAt,
      dueAt: createdAt,
      earliestAt: createdAt,
      deadlineAt: createdAt + 3_600_000,
      ...changes,
    }),
  )
  for (const job of jobs) await world.jobs.insert(job)
  return jobs.map(({ id }) => id)
}

/** Polls of `name` are never answered; those of others say that the task is done. */
const hangingPolls =
  (name: string, seen: { now: number; most: number } = { now: 0, most: 0 }) =>
  (provider: Provider): Provider => ({
    ...provider,
    async poll(_task, { signal }) {
      if (provider.name !== name) return { state: 'succeeded', outputs: [{ url: 'https://cdn.test/1.png' }] }
      seen.most = Math.max(seen.most, ++seen.now)
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      seen.now--
      throw new Error('time is up')
    },
  })

async function phasesOf(world: RoutedWorld, ids: readonly string[]) {
  return new Set(await Promise.all(ids.map(async (id) => (await world.job(id)).phase)))
}

const states: [string, Partial<Job>][] = [
  ['between steps', {}],
  ['within a step', { claim: { until: 0 } }],
]

test.each(states)(
  'a service that starts with 600 jobs of a provider that hangs, left %s, completes jobs of another provider within 2 seconds',
  async (_how, changes) => {
    const world = routedWorld({ sick: {}, well: {} })
    await leaveBehind(world, 600, 'sick', changes)
    await world.clock.advance(1)
    const ids = await leaveBehind(world, changes.claim?.until === undefined ? 40 : 10, 'well', changes)
    world.start(undefined, hangingPolls('sick'))
    await world.clock.advance(2000)
    expect(await phasesOf(world, ids)).toEqual(new Set(['completed']))
    await world.close()
  },
)

test('a service that takes jobs one at a time after three crashes completes jobs of other providers while one provider hangs', async () => {
  const world = routedWorld({ sick: {}, well: {} })
  const suspect = { claim: { until: 0, deaths: 3 } }
  await leaveBehind(world, 600, 'sick', suspect)
  await world.clock.advance(1)
  const ids = await leaveBehind(world, 10, 'well', suspect)
  world.start(undefined, hangingPolls('sick'))
  // The process waits 20 seconds before the first of these steps. Then each step of the sick provider takes 5 seconds, and at
  // most one of them comes before each step of the other provider.
  await world.clock.advance(80_000)
  expect(await phasesOf(world, ids)).toEqual(new Set(['completed']))
  await world.close()
})

test('a service polls at most 100 jobs at a time at a provider that hangs, and leaves its other jobs unclaimed', async () => {
  const world = routedWorld({ sick: {}, well: {} })
  const ids = await leaveBehind(world, 200, 'sick')
  const seen = { now: 0, most: 0 }
  world.start(undefined, hangingPolls('sick', seen))
  await world.clock.advance(55_000)
  const claimed = (await Promise.all(ids.map(world.job))).filter(({ claim }) => claim?.until !== undefined)
  expect([claimed.length, seen.most]).toEqual([100, 100])
  await world.clock.advance(400_000)
  expect(seen.most).toBe(100)
  await world.close()
})

test('a provider limits the jobs that a service polls at a time with maxConcurrentJobs', async () => {
  const world = routedWorld({ sick: {}, well: {} })
  await leaveBehind(world, 30, 'sick')
  const seen = { now: 0, most: 0 }
  const hanging = hangingPolls('sick', seen)
  world.start(undefined, (provider) => ({ ...hanging(provider), maxConcurrentJobs: 3 }))
  await world.clock.advance(200_000)
  expect(seen.most).toBe(3)
  await world.close()
})

test('a job that has waited for its turn at a provider still has the full time of a call for its submit', async () => {
  const world = routedWorld({ slow: { latencyMs: 50_000 } })
  const process = world.start(undefined, (provider) => ({ ...provider, maxConcurrentJobs: 1 }))
  const ids = [await world.create(process), await world.create(process), await world.create(process)]
  await world.clock.advance(160_000)
  expect(await phasesOf(world, ids)).toEqual(new Set(['completed']))
  for (const id of ids) expect(world.paidBy(id)).toEqual(['slow'])
  await world.close()
})

test('jobs of one provider complete at once while another provider hangs with 200 submits', async () => {
  const world = routedWorld({ sick: hangs, well: { behave: [{ delayMs: 3000 }] } })
  const process = world.start()
  for (let i = 0; i < 200; i++) await world.create(process, 'sick')
  for (let round = 0; round < 10; round++) {
    const id = await world.create(process, 'well')
    await world.clock.advance(10_000)
    const { phase, startedAt, createdAt, completedAt = Number.NaN } = await world.job(id)
    expect([phase, startedAt]).toEqual(['completed', createdAt])
    expect(completedAt - createdAt).toBeLessThan(5000)
  }
  await world.close()
})

test('jobs that wait behind the submits of a provider that hangs go to the next route, and only the submitted ones fail', async () => {
  const world = routedWorld({ sick: hangs, well: {} })
  const process = world.start()
  const ids = await Promise.all(Array.from({ length: 200 }, () => world.create(process)))
  await world.clock.advance(150_000)
  const jobs = await Promise.all(ids.map(world.job))
  const madeBy = (route: string, phase: Job['phase']) =>
    jobs.filter((job) => job.route === route && job.phase === phase).length
  const lost = madeBy('sick/fake-image', 'failed')
  // A hundred jobs run at a time, and a few more began before the fifth of them had failed.
  expect(lost).toBeLessThan(105)
  expect(madeBy('well/fake-image', 'completed')).toBe(200 - lost)
  for (const id of ids) expect(world.submittedTo(id)).toHaveLength(1)
  expect(world.logged.filter((line) => line.includes('no new jobs for'))).toEqual([
    'Provider sick is in trouble and gets no new jobs for 30 s.',
  ])
  await world.close()
})

test('the first route is used again after one job has shown that its provider answers again', async () => {
  let isSick = true
  const world = routedWorld({ moody: { behave: () => (isSick ? { submit: 'server_error' } : {}) }, well: {} })
  const process = world.start()
  for (let i = 0; i < 5; i++) await world.create(process)
  await world.clock.advance(1000)
  const during = await world.create(process)
  await world.clock.advance(28_000)
  isSick = false
  await world.clock.advance(2000)
  const probe = await world.create(process)
  await world.clock.advance(100)
  const after = await world.create(process)
  await world.clock.advance(100)
  const routes = await Promise.all([during, probe, after].map(async (id) => (await world.job(id)).route))
  expect(routes).toEqual(['well/fake-image', 'moody/fake-image', 'moody/fake-image'])
  expect(world.logged).toContain('Provider moody answers again and gets new jobs.')
  await world.close()
})

test('running jobs of a provider whose submits fail are still polled, and complete', async () => {
  let isSick = false
  const world = routedWorld({
    moody: { behave: () => (isSick ? { submit: 'server_error' } : { delayMs: 20_000 }) },
    well: {},
  })
  const process = world.start()
  const paid = await world.create(process)
  await world.clock.advance(1000)
  isSick = true
  for (let i = 0; i < 10; i++) await world.create(process)
  await world.clock.advance(25_000)
  expect(world.logged).toContain('Provider moody is in trouble and gets no new jobs for 30 s.')
  expect(await world.job(paid)).toMatchObject({ phase: 'completed', route: 'moody/fake-image' })
  await world.close()
})

test('new jobs without another route wait while submits to their provider fail, and complete when it answers again', async () => {
  let isSick = true
  const world = routedWorld({ moody: { behave: () => (isSick ? { answer: 'server_error' } : {}) } })
  const process = world.start()
  const lost = await Promise.all(Array.from({ length: 5 }, () => world.create(process)))
  await world.clock.advance(5000)
  const waiting = await Promise.all(Array.from({ length: 20 }, () => world.create(process)))
  await world.clock.advance(20_000)
  expect(await phasesOf(world, lost)).toEqual(new Set(['failed']))
  expect(await phasesOf(world, waiting)).toEqual(new Set(['accepted']))
  isSick = false
  await world.clock.advance(60_000)
  expect(await phasesOf(world, waiting)).toEqual(new Set(['completed']))
  await world.close()
})

test('a service that closes does not submit the jobs that wait for their turn at a provider that hangs', async () => {
  const world = routedWorld({ sick: hangs })
  const process = world.start()
  for (let i = 0; i < 200; i++) await world.create(process)
  await world.clock.advance(100)
  const closed = process.service.close()
  await world.clock.advance(60_000)
  await closed
  expect(world.clock.pendingTimers).toBe(0)
  expect(world.vendorOf('sick').submits).toHaveLength(100)
})

test('a job that crashes each process that polls it fails after five crashes, and jobs of other providers complete', async () => {
  const world = routedWorld({ poison: {}, b: {}, c: {} })
  const { clock } = world
  const [poison = ''] = await leaveBehind(world, 1, 'poison')
  const others = [...(await leaveBehind(world, 1, 'b')), ...(await leaveBehind(world, 1, 'c'))]
  let crashes = 0
  function startNext(): void {
    const process = world.start(undefined, (provider) => ({
      ...provider,
      async poll() {
        if (provider.name === 'poison') {
          crashes++
          process.kill()
          clock.after(31_000, startNext)
          await new Promise(() => {})
        }
        // The poll takes 500 ms, so that the process dies during it.
        await new Promise<void>((resolve) => clock.after(500, resolve))
        return { state: 'succeeded', outputs: [{ url: 'https://cdn.test/1.png' }] }
      },
    }))
  }
  startNext()
  await clock.advance(10 * 60_000)
  expect(crashes).toBe(5)
  expect((await world.job(poison)).phase).toBe('failed')
  expect(await phasesOf(world, others)).toEqual(new Set(['completed']))
  await world.close()
})

test('no job fails when ten processes in a row die within seconds of their start for another reason', async () => {
  const world = routedWorld({ well: {} })
  const { clock } = world
  const ids = await leaveBehind(world, 3, 'well')
  const slowPolls = (provider: Provider): Provider => ({
    ...provider,
    async poll() {
      await new Promise<void>((resolve) => clock.after(5000, resolve))
      return { state: 'succeeded', outputs: [{ url: 'https://cdn.test/1.png' }] }
    },
  })
  for (let death = 0; death < 10; death++) {
    const process = world.start(undefined, slowPolls)
    await clock.advance(3000)
    process.kill()
    await clock.advance(31_000)
  }
  expect(await phasesOf(world, ids)).toEqual(new Set(['running']))
  world.start(undefined, slowPolls)
  await clock.advance(90_000)
  expect(await phasesOf(world, ids)).toEqual(new Set(['completed']))
  await world.close()
})

test('a job that waits for its turn at a provider that hangs fails as deadline_exceeded at its deadline', async () => {
  const world = routedWorld({ sick: hangs }, { deadlineMs: 1000 })
  const process = world.start(['sick'], (provider) => ({ ...provider, maxConcurrentJobs: 1 }))
  const create = () => process.service.create({ owner: 'alice', model: 'sick', input: { prompt: 'a fox' } })
  await create()
  const { job } = await create()
  await world.clock.advance(1500)
  expect(await process.service.get(job.id, 'alice')).toMatchObject({
    phase: 'failed',
    error: { code: 'deadline_exceeded' },
  })
  await world.close()
})

test('a service polls the running job of a busy provider before it submits more jobs to the provider', async () => {
  const world = routedWorld({ busy: {} })
  const { clock } = world
  const process = world.start(['busy'], (provider) => ({
    ...provider,
    maxConcurrentJobs: 1,
    async submit() {
      await new Promise<void>((resolve) => clock.after(100, resolve))
      return { state: 'running', handle: 1, pollAfterMs: 20 }
    },
    poll: async () => ({ state: 'succeeded', outputs: [{ url: 'https://cdn.test/1.png' }] }),
  }))
  const ids: string[] = []
  for (let count = 0; count < 50; count++) {
    const { job } = await process.service.create({
      owner: 'alice',
      model: 'busy',
      input: { prompt: 'a fox' },
    })
    ids.push(job.id)
  }
  await clock.advance(1000)
  expect((await world.job(ids[0]!)).phase).toBe('completed')
  await world.close()
})
