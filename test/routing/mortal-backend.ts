import type { Backend, Clock } from '@genmount/core'
import { memoryBackend, timerScheduler } from '@genmount/core'

/** One process's view of a backend that outlives it. */
export interface MortalBackend extends Backend {
  /** Ends the process: nothing that it has begun or still tries comes back or has an effect. */
  kill(): void
}

/** A backend whose store survives the processes that use it, as a database does. */
export function survivingStore(clock: Clock): {
  readonly process: () => MortalBackend
  readonly jobs: Backend['jobs']
} {
  const { jobs, signals } = memoryBackend({ clock })

  function process(): MortalBackend {
    let isDead = false
    const never = new Promise<never>(() => {})
    const scheduler = timerScheduler(clock)
    const mortal =
      <Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        if (isDead) return never
        const answer = await ask(...args)
        return isDead ? never : answer
      }
    return {
      durable: true,
      signals,
      scheduler,
      jobs: {
        insert: mortal(jobs.insert),
        findByIdempotencyKey: mortal(jobs.findByIdempotencyKey),
        get: mortal(jobs.get),
        replace: mortal(jobs.replace),
        due: mortal(jobs.due),
        expired: mortal(jobs.expired),
        delete: mortal(jobs.delete),
      },
      close: () => scheduler.stop(),
      kill() {
        isDead = true
        void scheduler.stop()
      },
    }
  }

  return { process, jobs }
}
