import { expect, test } from 'vitest'
import { fakeProvider, manualClock } from '@genmount/testing'
import type { Backend } from '../contracts/storage/backend.ts'
import type { Log } from '../contracts/log.ts'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { createGenerationService } from './create-generation-service.ts'

/** A service that its app closes during the first call of `place`, and the calls that follow. */
function setUp(place: 'log' | 'scheduler' | 'store') {
  const clock = manualClock()
  const memory = memoryBackend({ clock })
  let closed: Promise<unknown> | undefined
  const close = (here: typeof place) => {
    if (here === place) closed ??= service.close()
  }
  const sweeps: number[] = []
  const scheduler: string[] = []
  const backend: Backend = {
    ...memory,
    jobs: {
      ...memory.jobs,
      due(now, limit) {
        sweeps.push(now)
        close('store')
        return memory.jobs.due(now, limit)
      },
    },
    scheduler: {
      ...memory.scheduler,
      start(run) {
        close('scheduler')
        memory.scheduler.start(run)
        scheduler.push('started')
      },
      async stop() {
        scheduler.push('stopped')
        await memory.scheduler.stop()
      },
    },
  }
  const log: Log = { warn: () => close('log'), error() {} }
  const service = createGenerationService({ providers: [fakeProvider({ clock })], backend, clock, log })
  return { service, clock, sweeps, scheduler, closed: () => closed }
}

test.each(['log', 'scheduler', 'store'] as const)(
  'a close() during start(), called by the %s, leaves nothing running',
  async (place) => {
    const { service, clock, sweeps, scheduler, closed } = setUp(place)
    try {
      service.start()
    } catch (error) {
      expect(error).toMatchObject({ code: 'shutting_down' })
    }
    await closed()
    await clock.advance(0)
    expect(clock.pendingTimers).toBe(0)
    expect(scheduler.at(-1) ?? 'stopped').toBe('stopped')

    const swept = sweeps.length
    await clock.advance(3_600_000)
    expect(sweeps).toHaveLength(swept)
    expect(() => service.start()).toThrow('shutting down')
  },
)
