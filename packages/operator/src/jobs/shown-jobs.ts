import { isFinished, type Job, type PluginHost, retryRefusal, taskIdOf } from '@genmount/core'
import { serviceOf } from '../plugin/service-of.ts'
import { operatorJob } from '../wire/operator-job.ts'
import { waitsFor } from './waits-for.ts'

/** A job as operators see it, in JSON. */
export type ShownJob = ReturnType<typeof operatorJob>

/** Shows jobs to operators: each with what it waits for, and what can be done to it. */
export async function shownJobs(host: PluginHost, jobs: readonly Job[]): Promise<readonly ShownJob[]> {
  const { health, deliverAgain } = serviceOf(host)
  const state = await health()
  const now = host.clock.now()
  return jobs.map((job) => {
    const isEnded = isFinished(job)
    const isThere = !isEnded || now < job.expiresAt
    const { webhook, phase } = job
    const event = phase === 'completed' ? 'job.completed' : 'job.failed'
    const provider = host.taskHolderOf(job)?.provider.name
    return operatorJob(job, taskIdOf(job), {
      waitsFor: waitsFor(job, provider, state, now),
      can: {
        cancel: !isEnded && job.cancelAskedAt === undefined,
        delete: isEnded && isThere,
        retry:
          phase === 'failed' &&
          isThere &&
          retryRefusal(job) === undefined &&
          host.modelOf(job.model) !== undefined,
        deliver: isEnded && isThere && deliverAgain !== undefined && webhook?.events.includes(event) === true,
      },
    })
  })
}
