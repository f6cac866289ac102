import type { Job } from '../contracts/job.ts'
import type { JobNews } from '../contracts/provider-report.ts'
import type { Route } from '../routing/routes.ts'
import { newsIn } from '../sharing/news-in.ts'
import { runningTaskOf, type StepContext } from './step.ts'
import type { Clock } from '../contracts/clock.ts'
import type { JobSignals } from '../contracts/storage/job-signals.ts'
import { lastUsed } from '../lists/last-used.ts'

/**
 * Lets the provider follow the task of a running job.
 * @returns a function that stops following; more than one call of it does no harm. `undefined` when the provider
 * follows no tasks
 */
export type TaskFollower = (job: Job) => (() => void) | undefined

/** A task that is followed, and the number of watches of its job. */
interface Followed {
  watches: number
  readonly end: () => void
}

/**
 * Makes the follower of a service. A task is followed once, even if several requests watch its job.
 * @param routeOf the route to the provider that has the job's task
 * @param tellNews passes news on to the listeners of the job, in this process and in other processes
 */
export function taskFollower(
  context: StepContext,
  routeOf: (job: Job) => Route | undefined,
  tellNews: (jobId: string, news: JobNews) => void,
): TaskFollower {
  const followed = new Map<string, Followed>()

  function begin(job: Job, route: Route): Followed {
    const { provider } = route
    let isOver = false
    let endFollow: (() => void) | undefined
    const tell = (word: unknown) => {
      const news = isOver || typeof word !== 'object' || !word ? undefined : newsIn({ ...word })
      if (news) tellNews(job.id, news)
    }
    const warn = (cause: unknown) =>
      context.log.warn(`The provider ${provider.name} could not follow a task.`, { job: job.id, cause })
    const start = async () => {
      const task = await runningTaskOf({ context, job, route })
      if (!isOver) endFollow = provider.follow?.(task, tell)
    }
    start().catch(warn)
    return {
      watches: 0,
      end() {
        isOver = true
        try {
          endFollow?.()
        } catch (fault) {
          warn(fault)
        }
      },
    }
  }

  return (job) => {
    const route = routeOf(job)
    if (!route?.provider.follow) return undefined
    const one = followed.get(job.id) ?? begin(job, route)
    followed.set(job.id, one)
    one.watches++
    let hasEnded = false
    return () => {
      if (hasEnded) return
      hasEnded = true
      if (--one.watches > 0) return
      followed.delete(job.id)
      one.end()
    }
  }
}

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
