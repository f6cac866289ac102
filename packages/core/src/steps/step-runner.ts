import type { Job } from '../contracts/job.ts'
import type { JobNews } from '../contracts/job-news.ts'
import type { Route } from '../routing/routes.ts'
import type { ProviderAnswer } from './trouble-teller.ts'
import type { Claim } from '../claims/claim.ts'
import { collectOutputs } from './collect-outputs.ts'
import { finishJob, recordCollected } from './finish-job.ts'
import type { JobEvent } from '../job/job-event.ts'
import { isFinished } from '../job/job-state.ts'
import { outOfTime } from '../job/out-of-time.ts'
import { deleteStrays } from '../retention/retention.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import { isNoNews } from './quiet-poll.ts'
import type { Step, StepContext } from './step.ts'
import { maxDeaths } from '../turns/suspicion.ts'
import { awaitProvider, poisoned, providerGone, takeStep } from './take-step.ts'

/**
 * Takes the step of a claimed job, and writes its outcome.
 * @param before the job before the claim
 * @param route the route of the step. `undefined` when this process has none for the job
 * @returns the job as written; `undefined` when the outcome could not be written, or another process has the job
 */
export type StepRunner = (claim: Claim, before: Job, route: Route | undefined) => Promise<Job | undefined>

/** Makes what takes the steps of a service. @param tellNews passes the news of a running task on */
export function stepRunner(
  context: StepContext,
  tellNews: (jobId: string, news: JobNews) => void,
): StepRunner {
  const { clock, log, trouble, routesOf } = context

  async function runStep(claim: Claim, before: Job, route: Route | undefined): Promise<Job | undefined> {
    const { claim: { deaths = 0 } = {} } = claim.job
    if (isFinished(before) && (!route || deaths >= maxDeaths)) return runCopy(claim, deaths >= maxDeaths)
    const record = (event: JobEvent, answer?: ProviderAnswer) => recordEvent(claim, event, route, answer)
    if (deaths >= maxDeaths) return record(poisoned(before))
    const routes = routesOf(before)
    if (!routes || !route) return record(routes ? outOfTime(before) : providerGone(before, clock.now()))
    if (isFinished(before)) return resume(claim, route)
    const { job, confirm, resubmits } = claim
    const step: Step = { context, job, routes, route, provider: route.provider, confirm, resubmits }
    const { event, outputs, answer, news } = await takeStep(step, before)
    if (news) tellNews(before.id, news)
    if (!outputs) return event && !isNoNews(claim.job, event) ? await record(event, answer) : claim.job
    return event?.type === 'succeeded'
      ? finishJob(step, event, outputs, record)
      : recordCollected(step, collectOutputs(step, outputs), record)
  }

  /**
   * Writes the event. If the job fails or the event can't be written, it writes a log line. Every failure of a job is
   * written here, by the one process that wins the write.
   */
  function recordEvent(
    claim: Claim,
    event: JobEvent,
    route: Route | undefined,
    answer?: ProviderAnswer,
  ): Promise<Job | undefined> {
    const provider = route?.provider.name
    return claim.write(event).then(
      (stepped) => {
        if (stepped && isFinished(stepped)) trouble.ended(stepped, provider, answer)
        return stepped
      },
      (fault: unknown) => {
        trouble.unwritten(claim.job, event, provider, fault)
        return undefined
      },
    )
  }

  /** Continues a job that failed because no process had its provider, and takes its next step. */
  async function resume(claim: Claim, route: Route): Promise<Job | undefined> {
    const resumed = await recordEvent(claim, { type: 'resumed' }, route)
    if (!resumed) return undefined
    log.warn(`${whose(resumed)} continues: the service has its provider again.`, fieldsOf(resumed))
    return runStep(claim, resumed, route)
  }

  async function runCopy({ job, lapsed, write }: Claim, isPoison: boolean): Promise<Job | undefined> {
    const { phase } = job
    const work = phase === 'failed' ? awaitProvider(job, clock.now()) : context.copyOutputs?.(job, lapsed)
    const event = isPoison ? undefined : await work
    const copied = await write(event ?? { type: 'copied', outputs: job.outputs })
    if (!copied) await deleteStrays(job, context)
    return copied
  }

  return runStep
}
