import type { Job, Setback } from '../contracts/job.ts'
import type { JobNews } from '../contracts/provider-report.ts'
import type { Route } from '../routing/routes.ts'
import { detailOf, type ProviderAnswer } from './trouble-teller.ts'
import type { Claim } from '../claims/claim.ts'
import { collectOutputs, collectAgain } from './collect-outputs.ts'
import { finishJob, recordCollected, recordMade } from './finish-job.ts'
import type { JobEvent } from '../job/job-event.ts'
import { isFinished } from '../job/job-state.ts'
import { outOfTime } from '../job/out-of-time.ts'
import { deleteStrays } from '../retention/retention.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import { isNoNews, type StepResult } from './step-result.ts'
import { type Step, type StepContext, runningTaskOf } from './step.ts'
import { maxDeaths } from '../turns/suspicion.ts'
import { callProvider } from './ask-provider.ts'
import { cancelTask, pollTask } from './poll-task.ts'
import { recoverSubmit, submitTask } from './submit-task.ts'

/**
 * Takes the step of a claimed job, and writes its outcome.
 * @param before the job before the claim
 * @param route the route of the step. `undefined` when this process has none for the job
 * @returns the job as written; `undefined` when the outcome could not be written, or another process has the job
 */
type StepRunner = (claim: Claim, before: Job, route: Route | undefined) => Promise<Job | undefined>

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
    const { job, confirm, submits } = claim
    const step: Step = { context, job, routes, route, provider: route.provider, confirm, submits }
    const { event, outputs, answer, news, costUsd } = await takeStep(step, before)
    if (news) tellNews(before.id, news)
    if (!outputs) return event && !isNoNews(claim.job, event) ? await record(event, answer) : claim.job
    if (event?.type === 'running') return recordMade(step, event, { outputs, costUsd }, record)
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
    const detailed = event.type === 'failed' ? { ...event, detail: detailOf(answer) } : event
    return claim.write(detailed).then(
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

/** Takes the step that follows from the job's phase before the claim. */
function takeStep(step: Step, before: Job): Promise<StepResult> {
  const { clock, clockSteps } = step.context
  // The clock may have been set while the claim was written.
  const isLate = clock.now() >= clockSteps.retimed(step.job).deadlineAt
  if (before.phase !== 'accepted') return takeLaterStep(step, before, isLate)
  return isLate ? Promise.resolve({ event: outOfTime(before) }) : submitTask(step)
}

async function takeLaterStep(step: Step, before: Job, isLate: boolean): Promise<StepResult> {
  const { phase } = before
  // At the deadline the provider is polled once more, because it may have finished and been paid during an outage. If
  // the service closes in the meantime, the next process polls.
  const result = await resultInPhase(step, phase)
  return isLate && !isNews(result, phase) && result.event?.type !== 'interrupted'
    ? giveUpTask(step, before, result)
    : result
}

function resultInPhase(step: Step, phase: Job['phase']): Promise<StepResult> {
  if (phase === 'submitting') return recoverSubmit(step)
  if (phase !== 'running') return collectAgain(step)
  return step.job.cancelAskedAt === undefined ? pollTask(step) : cancelTask(step)
}

/** Whether the answer decides the job, or shows for the first time that the provider has the task. */
function isNews({ event, outputs }: StepResult, phase: Job['phase']): boolean {
  if (outputs !== undefined || event?.type === 'collected' || event?.type === 'failed') return true
  return phase === 'submitting' && event?.type === 'running'
}

async function giveUpTask(step: Step, before: Job, { event }: StepResult): Promise<StepResult> {
  const { provider, context } = step
  if (before.phase === 'running' && provider.cancel) {
    await callProvider(step, context.closing, async (call) =>
      provider.cancel?.(await runningTaskOf(step), call),
    )
  }
  return { event: outOfTime(before, setbackIn(event, context.clock.now()) ?? before.setback) }
}

function setbackIn(event: JobEvent | undefined, now: number): Setback | undefined {
  const why = event && 'why' in event ? event.why : undefined
  return why && { why, at: now }
}

/** The failure of a job during whose steps five processes in a row have died. */
function poisoned({ phase }: Job): JobEvent {
  const message = `The service broke down ${maxDeaths} times in a row during this job.`
  return { type: 'failed', code: phase === 'submitting' ? 'submit_ambiguous' : 'service_failed', message }
}

/** How often to look whether the provider of a failed job is back, in milliseconds. */
const lookMs = 5 * 60_000

/** What is written to a job that failed for want of its provider, while the provider is still away. */
function awaitProvider({ outputs }: Job, now: number): JobEvent {
  return { type: 'copied', outputs, retryAt: now + lookMs }
}

/** The failure of a job whose model or provider no process has had until long after the job's deadline. */
function providerGone(job: Job, now: number): JobEvent {
  const { phase, model, provider, route, cancelAskedAt } = job
  if (phase === 'accepted') {
    const message = `The job has not finished within its time: the service no longer has the model ${model}.`
    return { type: 'failed', code: 'deadline_exceeded', message, costUsd: 0 }
  }
  if (phase === 'running' && cancelAskedAt !== undefined) return outOfTime(job)
  const name = provider === undefined ? '' : ` ${provider}`
  const by = route === undefined ? '' : ` by the route ${route}`
  const message = `The service no longer has the provider${name}, which got this job${by}. The job continues when the service has the provider again.`
  return {
    type: 'failed',
    code: phase === 'submitting' ? 'submit_ambiguous' : 'provider_lost',
    message,
    lookAt: now + lookMs,
  }
}
