import type { Clock } from '../contracts/clock.ts'
import type { JobNews } from '../contracts/job-news.ts'
import type { JobSignals } from '../contracts/job-signals.ts'
import { lastUsed } from '../sharing/last-used.ts'

/** The shortest time between two news of a job, in milliseconds. */
const pauseMs = 250

/** The news of a job that were passed on last. */
interface Told {
  /** By the clock's uptime. */
  readonly at: number
  /** The news that have arrived since. */
  waiting?: JobNews
}

/**
 * Makes the function that passes a provider's progress reports on to the listeners of a job, at most four times a
 * second for each job. There is a limit because a provider may be polled fifty times a second, and each message may go
 * over a network. Of the news that arrive within a pause, the last is passed on at the end of the pause.
 */
export function newsTeller(
  { news: channel }: JobSignals,
  clock: Clock,
): (jobId: string, news: JobNews) => void {
  // When more jobs than these have news within a pause, the oldest pauses end early.
  const latestNews = lastUsed<Told>(1000)

  function tell(jobId: string, news: JobNews): void {
    latestNews.set(jobId, { at: clock.uptime() })
    channel?.publish(jobId, news)
  }

  return (jobId, news) => {
    if (Object.keys(news).length === 0) return
    const now = clock.uptime()
    const last = latestNews.get(jobId)
    // Not left to the timer alone, because in a worker (workerd) timers end with their request.
    if (!last || last.at + pauseMs <= now) return tell(jobId, news)
    if (!last.waiting)
      clock.after(last.at + pauseMs - now, () => latestNews.get(jobId) === last && tell(jobId, last.waiting!))
    // A report without a preview keeps the preview of the report before, because most reports have none.
    last.waiting = { preview: last.waiting?.preview, ...news }
  }
}
