import { expect, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { fakeProvider, manualClock } from '@genmount/testing'
import { economyOn, isTwiceAsGood, mixes } from './economy/economy.ts'
import { jobLengths } from './economy/job-lengths.ts'
import { simulate } from './economy/simulate.ts'
import { weigh } from './stores/stores.ts'
import { weighWaiters } from './waiters/waiters.ts'

test('a job in the memory backend takes at most 1.8 kB of heap, while it runs and when it has finished', async () => {
  const { finished, processing } = await weigh('jobs', 5000)
  expect(finished).toBeLessThanOrEqual(1800)
  expect(processing).toBeLessThanOrEqual(1800)
})

test('a create leaves at most 3 kB that only a collection of the whole heap frees', async () => {
  expect(await weigh('garbage', 3000)).toBeLessThanOrEqual(3000)
})

test('a request with wait=true takes at most 5 kB of heap beyond its idle connection, and leaves nothing when its client disconnects', async () => {
  const { heapPerWaiter, left, keptShare } = await weighWaiters(1000, 'wait')
  expect(heapPerWaiter).toBeLessThanOrEqual(5000)
  expect(left).toBe(0)
  expect(keptShare).toBeLessThanOrEqual(0.1)
})

test('a request for the events of a job takes at most 5 kB of heap beyond its idle connection, and leaves nothing when its client disconnects', async () => {
  const { heapPerWaiter, left, keptShare } = await weighWaiters(1000, 'listen')
  expect(heapPerWaiter).toBeLessThanOrEqual(5000)
  expect(left).toBe(0)
  expect(keptShare).toBeLessThanOrEqual(0.1)
})

test.each(mixes.filter(({ name }) => name === '20 s' || name === '120 s'))(
  'jobs of $name take at most half the polls of a client that polls every 3 s, or are found finished in half the time',
  (mix) => {
    expect(isTwiceAsGood(economyOn(mix, 'ours, learnt'), economyOn(mix, 'every 3 s'))).toBe(true)
  },
)

test.each([
  { name: '2 s', polls: 1.6, delayMs: 550 },
  { name: '20 s', polls: 6.5, delayMs: 750 },
  { name: '120 s', polls: 19, delayMs: 1500 },
  { name: 'mixed, one model of all three', polls: 16, delayMs: 1300 },
])(
  'jobs of $name take at most $polls polls each, and the service learns at most $delayMs ms late that they have finished',
  ({ name, polls, delayMs }) => {
    const mix = mixes.find((candidate) => candidate.name === name)!
    const { pollsPerJob, meanDelayMs } = economyOn(mix, 'ours, learnt')
    expect(pollsPerJob).toBeLessThanOrEqual(polls)
    expect(meanDelayMs).toBeLessThanOrEqual(delayMs)
  },
)

test('the service polls a provider as often as the simulation of polls calculates', async () => {
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
  const { pollsPerJob } = simulate('ours, learnt', lengths)
  expect(provider.polls.length / lengths.length).toBeCloseTo(pollsPerJob, 0)
})
