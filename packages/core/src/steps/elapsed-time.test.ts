import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import type { Provider } from '../contracts/provider.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const taskMs = 12_000
const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }

const steps = [
  ['ahead by an hour', 60 * minuteMs],
  ['ahead by 8 days', 8 * dayMs],
  ['back by a day', -dayMs],
] as const

/** Services whose provider has tasks of 12 s, and does not tell how long it has worked. */
function setUp() {
  const world = fakeWorld({ behave: () => ({ delayMs: taskMs }) })
  const poll: Provider['poll'] = async (task, call) => {
    const report = await world.provider.poll(task, call)
    return report.state === 'succeeded' ? { ...report, inferenceMs: undefined } : report
  }
  const start = () => world.start({ provider: { poll } })
  return { ...world, start, ...start() }
}

test.each(steps)(
  'the time of inference is the time that has passed since the submit when the clock is set %s meanwhile',
  async (_how, byMs) => {
    const { clock, service } = setUp()
    const { job } = await service.create(request)
    await clock.advance(5000)
    clock.set(clock.now() + byMs)
    await clock.advance(minuteMs)
    const { phase, inferenceMs } = await service.get(job.id, 'alice')
    expect(phase).toBe('completed')
    expect(inferenceMs).toBeGreaterThanOrEqual(taskMs)
    expect(inferenceMs).toBeLessThanOrEqual(taskMs + 15_000)
    await service.close()
  },
)

test('the time of inference is at most the time that a job may take when the clock is set ahead between two processes', async () => {
  const { clock, service: first, die, start, jobs } = setUp()
  const { job } = await first.create(request)
  await clock.advance(5000)
  die()
  clock.set(clock.now() + 8 * dayMs)
  const { service } = start()
  await clock.advance(2 * minuteMs)
  expect(await jobs.get(job.id)).toMatchObject({ phase: 'completed', inferenceMs: 30 * minuteMs })
  await service.close()
})

test.each(steps)(
  'a job is polled soon after its usual time though the clock was set %s during others',
  async (_how, byMs) => {
    const { clock, service, provider, jobs } = setUp()
    for (let count = 0; count < 3; count++) {
      await service.create(request)
      await clock.advance(5000)
      clock.set(clock.now() + byMs)
      await clock.advance(2 * minuteMs)
    }
    const { job } = await service.create(request)
    const polls = provider.polls.length
    await clock.advance(taskMs + 3000)
    expect(await jobs.get(job.id)).toMatchObject({ phase: 'completed' })
    expect(provider.polls.length - polls).toBeLessThanOrEqual(6)
    await service.close()
  },
)
