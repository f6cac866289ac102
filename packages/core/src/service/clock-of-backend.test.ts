import { expect, test } from 'vitest'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { timerScheduler } from '../defaults/timer-scheduler.ts'
import { createGenerationService } from './create-generation-service.ts'

test.each([3_600_000, -3_600_000])(
  'with a clock of its own, %d ms ahead of that of the backend, a service takes each step when it is due',
  async (aheadMs) => {
    const clock = manualClock()
    const ofBackend = { ...clock, now: () => clock.now() - aheadMs }
    const polls: number[] = []
    const fake = fakeProvider({ clock, behave: [{ delayMs: 5000 }] })
    const service = createGenerationService({
      providers: [{ ...fake, poll: (...call) => (polls.push(clock.now()), fake.poll(...call)) }],
      clock,
      backend: {
        ...memoryBackend({ clock }),
        clock: ofBackend,
        scheduler: timerScheduler(ofBackend),
      },
      log: quietLog(),
    })
    const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
    await clock.advance(8000)
    const { jobs } = await service.list({ owner: 'alice' })
    expect(jobs.map(({ id, phase }) => [id, phase])).toEqual([[job.id, 'completed']])
    // By a clock on which every step is due at once, the provider would be asked without a pause.
    expect(polls.length).toBeLessThan(12)
    await service.close()
  },
)
