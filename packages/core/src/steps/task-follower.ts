import type { Job } from '../contracts/job.ts'
import type { JobNews } from '../contracts/job-news.ts'
import type { Route } from '../routing/routes.ts'
import { newsIn } from '../sharing/news-in.ts'
import { runningTaskOf, type StepContext } from './step.ts'

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
