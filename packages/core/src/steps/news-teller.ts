import type { Clock } from '../contracts/clock.ts'
import type { JobNews } from '../contracts/job-news.ts'
import type { JobSignals } from '../contracts/job-signals.ts'

/** The shortest time between two news of a job, in milliseconds. News that come sooner are left out. */
const pauseMs = 250
/** How many jobs are remembered before those are forgotten whose pause is over. */
const sliceSize = 1000

/**
 * Makes the function that tells those who listen to a job what its provider has said. A provider may be polled fifty
 * times a second, and each telling may go over a network, so a job is told of at most four times a second.
 */
export function newsTeller(
  { news: channel }: JobSignals,
  clock: Clock,
): (jobId: string, news: JobNews) => void {
  /** When each job was last told of, by the clock's uptime. The longest ago comes first. */
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
