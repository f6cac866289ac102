import { GenerationError, type GenerationService, isFinished, type Job } from '@genmount/core'
import { LRUCache } from 'lru-cache'

/** The job of a film, and its progress from 0 to 1. */
export interface ReadVideo {
  readonly job: Job
  readonly progress: number
}

/**
 * Makes the function that reads a film of an owner. Providers report progress to those who listen, and it is stored
 * nowhere: so this listens while the service polls the provider, and remembers the last report. Without a report it
 * estimates the progress by the time that films of the model usually take.
 * @throws GenerationError `job_not_found`, also for a job that makes no film
 */
export function videoReader({
  clock,
  get,
  watch,
  models,
}: Pick<GenerationService, 'clock' | 'get' | 'models' | 'watch'>): (
  id: string,
  owner: string,
) => Promise<ReadVideo> {
  const reports = new LRUCache<string, number>({ max: 10_000 })

  function estimate({ model, startedAt }: Job): number {
    const typicalMs = models.find(({ id }) => id === model)?.typicalMs
    return typicalMs === undefined || startedAt === undefined ? 0 : (clock.now() - startedAt) / typicalMs
  }

  return async (id, owner) => {
    checkJobId(id)
    const listener = {
      onChange() {},
      onNews({ progress }: { readonly progress?: number | undefined }) {
        if (progress !== undefined) reports.set(id, progress)
      },
      onEnd() {},
    }
    // Without a place there is no report, and the film is read all the same.
    const end = await watch(id, owner, listener).catch(() => () => {})
    try {
      const job = await get(id, owner)
      if (job.outputKind !== 'video') throw noSuchVideo()
      const isRunning = !isFinished(job) && job.phase !== 'accepted'
      return { job, progress: isRunning ? Math.min(0.99, reports.get(id) ?? estimate(job)) : 0 }
    } finally {
      end()
    }
  }
}

/** @throws GenerationError `job_not_found` for text that can't be a job id, without a read of the store */
export function checkJobId(id: string): void {
  if (!/^[\w-]{1,64}$/.test(id)) throw noSuchVideo()
}

function noSuchVideo(): GenerationError {
  return new GenerationError('job_not_found', 'There is no such video, or it has expired.')
}
