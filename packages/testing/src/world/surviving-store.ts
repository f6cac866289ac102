import { memoryBackend, timerScheduler, type Backend, type Clock, type JobStore } from '@genmount/core'

/** One process's view of a job store that outlives it. */
export interface MortalBackend extends Backend {
  /** Ends the process: its calls neither return nor have an effect any more. */
  kill(): void
}

/** A job store in memory that survives the processes that use it, as a database does. */
export interface SurvivingStore {
  /** The stored jobs. They survive the processes. */
  readonly jobs: JobStore
  /**
   * The backend of a further process, with its own scheduler.
   * @param jobs methods that are replaced in this process, such as a `replace` that fails
   */
  connect(jobs?: Partial<JobStore>): MortalBackend
}

/**
 * Makes a job store in memory that survives the processes that use it.
 * @param clock the clock of the schedulers of all processes
 * @example
 * const store = survivingStore(clock)
 * const doomed = store.connect()
 * createGenerationService({ providers, clock, backend: doomed }).start()
 * doomed.kill()
 * createGenerationService({ providers, clock, backend: store.connect() }).start()
 */
export function survivingStore(clock: Clock): SurvivingStore {
  const { jobs, signals } = memoryBackend({ clock })
  return {
    jobs,
    connect(changes) {
      let isDead = false
      const scheduler = timerScheduler(clock)
      const mortal =
        <Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) =>
        async (...args: Args): Promise<Result> => {
          const answer = isDead ? undefined : await ask(...args)
          return isDead ? new Promise<never>(() => {}) : (answer as Result)
        }
      const own: JobStore = { ...jobs, ...changes }
      return {
        durable: true,
        signals,
        scheduler,
        jobs: {
          insert: mortal(own.insert),
          findByIdempotencyKey: mortal(own.findByIdempotencyKey),
          get: mortal(own.get),
          replace: mortal(own.replace),
          due: mortal(own.due),
          expired: mortal(own.expired),
          delete: mortal(own.delete),
          ...(own.costs && { costs: mortal(own.costs) }),
          ...(own.dailyUsage && { dailyUsage: mortal(own.dailyUsage) }),
          ...(own.list && { list: mortal(own.list) }),
          ...(own.unfinished && { unfinished: mortal(own.unfinished) }),
          ...(own.spending && { spending: mortal(own.spending) }),
          ...(own.grant && { grant: mortal(own.grant) }),
          ...(own.grants && { grants: mortal(own.grants) }),
          ...(own.storedBytes && { storedBytes: mortal(own.storedBytes) }),
          ...(own.noteUpload && { noteUpload: mortal(own.noteUpload) }),
        },
        close: () => scheduler.stop(),
        kill() {
          isDead = true
          void scheduler.stop()
        },
      }
    },
  }
}
