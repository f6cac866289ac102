import { createGenerationService, isFinished, memoryBackend, memoryFileStore } from '@genmount/core'
import type { Job, JsonObject, Provider } from '@genmount/core'
import { manualClock, type ManualClock, quietLog } from '@genmount/testing'
import { watchedCalls } from './watched-calls.ts'

export interface JobRuns {
  readonly clock: ManualClock
  create(model: string, input: JsonObject): Promise<string>
  job(id: string): Promise<Job>
  /** Moves the clock on, but for the time that a request takes, until the job has finished. */
  finished(id: string): Promise<Job>
  /** The bytes of a finished job's outputs. */
  outputs(job: Job): Promise<Uint8Array[]>
  close(): Promise<unknown>
}

/** A real service, on a clock that the test moves. */
export function jobRuns(...providers: readonly Provider[]): JobRuns {
  const clock = manualClock()
  const backend = { ...memoryBackend({ clock }), durable: true }
  const files = memoryFileStore()
  const calls = providers.map(watchedCalls)
  const service = createGenerationService({
    providers: calls.map(({ provider }) => provider),
    backend,
    files,
    clock,
    log: quietLog(),
  })
  service.start()

  async function job(id: string): Promise<Job> {
    const found = await backend.jobs.get(id)
    if (!found) throw new Error(`There is no job ${id}.`)
    return found
  }

  return {
    clock,
    job,

    async create(model, input) {
      const { job } = await service.create({ owner: 'alice', model, input })
      return job.id
    },

    async finished(id) {
      for (;;) {
        const found = await job(id)
        if (isFinished(found)) return found
        const { claimedUntil = 0, dueAt = 0, isQuiet } = found
        // A quiet claim is kept between polls, when there is nothing to wait for but the next one.
        const isAsked = isQuiet ? calls.some(({ underWay }) => underWay() > 0) : claimedUntil > clock.now()
        if (isAsked) await new Promise((resolve) => setTimeout(resolve, 2))
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

    close: () => service.close(),
  }
}
