import { expect, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, manualClock } from '@genmount/testing'
import { economyOn, isTwiceAsGood, mixes } from './economy/economy.ts'
import { jobLengths } from './economy/job-lengths.ts'
import { fixedPolicy, ourPolicy } from './economy/poll-policy.ts'
import { simulate } from './economy/simulate.ts'
import { weighGarbage, weighJobs } from './scale/scale.ts'
import { initialModules } from './start-up/initial-modules.ts'
import { entrySize, importSize, nameSize, packageNames, packageSize } from './start-up/bundle-size.ts'
import { weighWaiters } from './waiters/waiters.ts'

/**
 * The limit for the gzipped code of each package, in bytes: about a tenth above its size when the limit was
 * set.
 */
const ceilings: Readonly<Record<string, number>> = {
  'backend-postgres': 10_500,
  'backend-sqlite': 8700,
  cli: 9900,
  client: 4800,
  'express-middleware': 300,
  'fetch-handler': 1050,
  'files-disk': 2700,
  'files-s3': 4200,
  'guarded-fetch': 5700,
  'input-fields': 7200,
  mcp: 10_800,
  'node-http': 1915,
  opentelemetry: 2850,
  // Its models as data are a third of it, and an entry of their own: see below.
  'provider-fal': 6700,
  'provider-procedural': 30_000,
  'scheduler-bullmq': 2950,
  testing: 56_000,
  'v1-interface': 19_500,
  webhooks: 2500,
}
const otherCeiling = 6000

test.each(packageNames.filter((name) => name !== 'core'))('%s stays small', async (name) => {
  expect(await packageSize(name)).toBeLessThanOrEqual(ceilings[name] ?? otherCeiling)
})

test('core loads at most 43,400 bytes at once, and 7700 more where an option needs them', async () => {
  const atOnce = await entrySize('core', '.')
  expect(atOnce).toBeLessThanOrEqual(43_400)
  expect((await packageSize('core')) - atOnce).toBeLessThanOrEqual(7700)
})

test('an app without limits, moderation, uploads and webhooks loads nothing of them but the checks of the options', async () => {
  const rooms = /packages\/core\/src\/((?:deliveries|limits|moderation|uploads)\/.*)/
  const modules = (await initialModules('minimal')).map((file) => rooms.exec(file)?.[1])
  expect(modules.filter((file) => file !== undefined).toSorted()).toEqual([
    'limits/owner-limits.ts',
    'limits/request-quota.ts',
    'moderation/moderate.ts',
    'uploads/input-path.ts',
    'uploads/is-upload-url.ts',
    'uploads/upload-options.ts',
  ])
})

test.each([
  { name: 'client', ceiling: 4000 },
  { name: 'minimal', ceiling: 65_500 },
  { name: 'sqlite-and-mirror', ceiling: 80_000 },
  { name: 'everything', ceiling: 67_300 },
] as const)(
  'the import "$name" loads at most $ceiling bytes at once, dependencies included',
  async ({ name, ceiling }) => {
    expect(await importSize(name)).toBeLessThanOrEqual(ceiling)
  },
)

test.each([
  { name: 'provider-fal', ceiling: 4000 },
  { name: 'provider-replicate', ceiling: 3350 },
])('who does not use the models as data of $name takes none of them', async ({ name, ceiling }) => {
  const size = await entrySize(name, '.')
  expect(size).toBeLessThanOrEqual(ceiling)
  expect(size + (await entrySize(name, './models'))).toBeLessThanOrEqual((await packageSize(name)) * 1.05)
})

test('who imports one name of core bundles nothing else of core', async () => {
  expect(await nameSize('frozen')).toBeLessThanOrEqual(250)
})

test('a job in memory takes at most 1.8 kB of heap once it has finished, and no more before', async () => {
  const { finished, processing } = await weighJobs('--conditions=@genmount/source')
  expect(finished).toBeLessThanOrEqual(1800)
  expect(processing).toBeLessThanOrEqual(1800)
})

test('what a create needs for a moment is freed by the next collection of young objects', async () => {
  expect(await weighGarbage('--conditions=@genmount/source')).toBeLessThanOrEqual(3000)
})

test('a request that waits takes at most 5 kB of heap beyond its idle connection, and leaves nothing when its client goes', async () => {
  const { heapPerWaiter, left, keptShare } = await weighWaiters(4000, 'wait', '--conditions=@genmount/source')
  expect(heapPerWaiter).toBeLessThanOrEqual(5000)
  expect(left).toBe(0)
  expect(keptShare).toBeLessThanOrEqual(0.1)
})

test('a client who listens to events takes no more than one who waits, and leaves nothing either', async () => {
  const { heapPerWaiter, left, keptShare } = await weighWaiters(
    4000,
    'listen',
    '--conditions=@genmount/source',
  )
  expect(heapPerWaiter).toBeLessThanOrEqual(5000)
  expect(left).toBe(0)
  expect(keptShare).toBeLessThanOrEqual(0.1)
})

test.each(mixes.filter(({ name }) => name === '20 s' || name === '120 s'))(
  'jobs of $name take half the polls of a poll every 3 s, or are found finished in half the time',
  (mix) => {
    expect(isTwiceAsGood(economyOn(mix, ourPolicy), economyOn(mix, fixedPolicy))).toBe(true)
  },
)

test.each([
  { name: '2 s', polls: 1.6, delayMs: 550 },
  { name: '20 s', polls: 6.5, delayMs: 750 },
  { name: '120 s', polls: 19, delayMs: 1500 },
  { name: 'mixed, one model of all three', polls: 16, delayMs: 1300 },
])('jobs of $name take $polls polls and are found finished $delayMs ms late', ({ name, polls, delayMs }) => {
  const mix = mixes.find((candidate) => candidate.name === name)!
  const { pollsPerJob, meanDelayMs } = economyOn(mix, ourPolicy)
  expect(pollsPerJob).toBeLessThanOrEqual(polls)
  expect(meanDelayMs).toBeLessThanOrEqual(delayMs)
})

test('the service polls as the simulation does', async () => {
  const lengths = jobLengths(30, { typicalMs: [20_000], spread: 0.2 }).map((length) => Math.round(length))
  const clock = manualClock()
  let next = 0
  const provider = fakeProvider({ clock, behave: () => ({ delayMs: lengths[next++]! }) })
  const service = createGenerationService({
    providers: [provider],
    clock,
    log: { warn() {}, error: console.error },
  })
  for (const length of lengths) {
    const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a' } })
    await clock.advance(length * 2 + 10_000)
    expect((await service.get(job.id, 'alice')).phase).toBe('completed')
  }
  await service.close()
  const { pollsPerJob } = simulate(ourPolicy(), lengths)
  expect(provider.polls.length / lengths.length).toBeCloseTo(pollsPerJob, 0)
})
