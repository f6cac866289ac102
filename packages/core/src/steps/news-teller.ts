import type { Clock } from '../contracts/clock.ts'
import type { JobNews } from '../contracts/job-news.ts'
import type { JobSignals } from '../contracts/job-signals.ts'

/** The shortest time between two news of a job, in milliseconds. News that arrive sooner are left out. */
const pauseMs = 250
/** How many jobs are kept before those whose pause is over are removed. */
const sliceSize = 1000

/**
 * Makes the function that passes a provider's progress reports on to the listeners of a job, at most four times a
 * second for each job. There is a limit because a provider may be polled fifty times a second, and each message may go
 * over a network.
 */
export function newsTeller(
  { news: channel }: JobSignals,
  clock: Clock,
): (jobId: string, news: JobNews) => void {
  /** When each job's news were last passed on, by the clock's uptime. The oldest entry comes first. */
  const toldAt = new Map<string, number>()

  function forgetOld(now: number): void {
    for (const [jobId, at] of toldAt) {
      if (now - at < pauseMs) return
      toldAt.delete(jobId)
    }
  }

  return (jobId, news) => {
    if (!channel || Object.keys(news).length === 0) return
    const now = clock.uptime()
    if (now - (toldAt.get(jobId) ?? Number.NEGATIVE_INFINITY) < pauseMs) return
    if (toldAt.size >= sliceSize) forgetOld(now)
    toldAt.delete(jobId)
    toldAt.set(jobId, now)
    channel.publish(jobId, news)
  }
}
