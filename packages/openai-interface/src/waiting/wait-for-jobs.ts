import {
  GenerationError,
  type GenerationService,
  type Job,
  type JobNews,
  type JobWatcher,
} from '@genmount/core'

/** How a request waits for its jobs. */
export interface Waiting {
  readonly owner: string
  /** The longest wait, in milliseconds. */
  readonly waitMs: number
  /** Registers a listener that is called when the client leaves, and returns a function that removes it. */
  readonly onLeave?: ((leave: () => void) => () => void) | undefined
  /** Receives the progress of each job. */
  readonly onNews?: ((index: number, news: JobNews) => void) | undefined
  /** Called at least every 3 seconds for each job that has not finished. */
  readonly onLook?: (() => void) | undefined
}

/**
 * Waits until all jobs have finished, in the service's places for waiters.
 * @returns the jobs as they are when all have finished, the time is up, the client has left, or there is no place
 */
export async function waitForJobs(
  service: Pick<GenerationService, 'clock' | 'watch'>,
  jobs: readonly Job[],
  { owner, waitMs, onLeave, onNews, onLook }: Waiting,
): Promise<readonly Job[]> {
  const latest = [...jobs]
  const ends: (() => void)[] = []
  let isOver = false
  const end = () => {
    isOver = true
    for (const each of ends.splice(0)) each()
  }
  const stayed = onLeave?.(end)
  const cancelTimer = service.clock.after(waitMs, end)

  async function finished(index: number): Promise<void> {
    const { promise: hasEnded, resolve: onEnd } = Promise.withResolvers<void>()
    const watcher: JobWatcher = {
      onChange: (job) => void (latest[index] = job),
      onNews: (news) => onNews?.(index, news),
      ...(onLook && { onLook }),
      onEnd,
    }
    try {
      const endWatch = await service.watch(jobs[index]!.id, owner, watcher)
      if (isOver) endWatch()
      else ends.push(endWatch)
    } catch (error) {
      const { code } = (error instanceof GenerationError ? error : {}) as Partial<GenerationError>
      // The client learns the id of its job, which it can read later.
      if (code === 'capacity_exceeded' || code === 'shutting_down') return
      throw error
    }
    await hasEnded
  }

  try {
    await Promise.all(jobs.map((_, index) => finished(index)))
  } finally {
    end()
    cancelTimer()
    stayed?.()
  }
  return latest
}
