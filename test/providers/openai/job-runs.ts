import { createGenerationService, isFinished, memoryBackend, memoryFileStore } from '@genmount/core'
import type { GenerationService, Job, JobStore, JsonObject, Provider } from '@genmount/core'
import { manualClock, type ManualClock } from '@genmount/testing'

/** A service in a process that can die: nothing that it asks of the store is answered any more. */
export interface ServiceProcess {
  readonly service: GenerationService
  die(): void
}

export interface JobRuns extends ServiceProcess {
  readonly clock: ManualClock
  /** Everything that was logged. */
  readonly logged: readonly unknown[]
  /** Another process over the same jobs. */
  startAnother(provider: Provider): ServiceProcess
  create(model: string, input: JsonObject): Promise<string>
  job(id: string): Promise<Job>
  /** Moves the clock on, but for the time that a request takes, until the job has finished. */
  finished(id: string): Promise<Job>
  /** The bytes of a finished job's outputs. */
  outputs(job: Job): Promise<Uint8Array[]>
  close(): Promise<void>
}

const never = new Promise<never>(() => {})

/** Real services over one memory store, on a clock that the test moves. */
export function jobRuns(provider: Provider): JobRuns {
  const clock = manualClock()
  const store = memoryBackend({ clock }).jobs
  const files = memoryFileStore()
  const logged: unknown[] = []
  const log = {
    warn: (message: string) => void logged.push(message),
    error: (message: string, cause?: unknown) => void logged.push(message, String(cause)),
  }
  const services: GenerationService[] = []

  function start(provider: Provider): ServiceProcess {
    let isDead = false
    const mortal =
      <Args extends unknown[], Result>(ask: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> =>
        isDead ? never : ask(...args).then((result) => (isDead ? never : result))
    const { scheduler, signals } = memoryBackend({ clock })
    const jobs = Object.fromEntries(
      Object.entries(store).map(([name, ask]) => [name, mortal(ask)]),
    ) as unknown as JobStore
    const backend = { durable: true, close: async () => {}, jobs, scheduler, signals }
    const service = createGenerationService({ providers: [provider], backend, files, clock, log })
    service.start()
    services.push(service)
    const die = () => {
      isDead = true
      services.splice(services.indexOf(service), 1)
    }
    return { service, die }
  }

  const first = start(provider)

  async function job(id: string): Promise<Job> {
    const found = await store.get(id)
    if (!found) throw new Error(`There is no job ${id}.`)
    return found
  }

  return {
    ...first,
    clock,
    logged,
    startAnother: start,
    job,

    async create(model, input) {
      const { job } = await first.service.create({ owner: 'alice', model, input })
      return job.id
    },

    async finished(id) {
      for (;;) {
        const found = await job(id)
        if (isFinished(found)) return found
        const { claimedUntil = 0, dueAt = 0 } = found
        if (claimedUntil > clock.now()) await new Promise((resolve) => setTimeout(resolve, 2))
        else await clock.advance(Math.max(dueAt - clock.now(), 1))
      }
    },

    outputs: ({ outputs }) =>
      Promise.all(
        outputs.map(async ({ fileKey = '' }) => {
          const file = await files.open?.(fileKey)
          if (!file) throw new Error('An output is not in the file store.')
          return new Uint8Array(await new Response(file.read()).arrayBuffer())
        }),
      ),

    async close() {
      await Promise.all(services.map((service) => service.close()))
    },
  }
}
