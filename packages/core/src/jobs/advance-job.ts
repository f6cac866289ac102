import type { Job } from '../contracts/job.ts'
import { callProvider } from './ask-provider.ts'
import { type Claim, claimJob, leaseMs } from './claim.ts'
import { collectAgain, collectOutputs } from './collect-outputs.ts'
import { isFinished, type JobEvent, mayStep } from './job-machine.ts'
import { pollTask } from './poll-task.ts'
import { runningTaskOf, type Step, type StepContext } from './step.ts'
import type { StepResult } from './step-result.ts'
import { recoverSubmit, submitTask } from './submit-task.ts'

/** How long to leave a job alone whose model this process does not serve: another one may. */
const foreignModelMs = 60_000

export interface JobAdvancer {
  /** Takes the job's next step if it may be taken now, or joins the one under way in this process. Never rejects. */
  advance(jobId: string): Promise<void>
  /** Resolves when no step is under way. */
  settled(): Promise<void>
}

/** Moves jobs on: one step at a time, by one hand at a time, whoever asks and however often. */
export function jobAdvancer(context: StepContext): JobAdvancer {
  const { jobs, scheduler, signals, clock, log, schedule } = context
  const underWay = new Set<Promise<void>>()
  const latest = new Map<string, { readonly step: Promise<void>; readonly joinableUntil: number }>()

  async function advanceOnce(jobId: string): Promise<void> {
    const job = await jobs.get(jobId)
    if (!job || isFinished(job) || context.closing.hasEnded) return
    const now = clock.now()
    if (!mayStep(job, now))
      return scheduler.wakeAt(jobId, Math.max(job.claimedUntil ?? now, job.earliestAt ?? now))
    const provider = context.providerOf(job.model)
    if (!provider && now < job.deadlineAt) return scheduler.wakeAt(jobId, now + foreignModelMs)
    const claim = await claimJob(jobs, clock, job)
    if (!claim) return
    try {
      const stepped = await runStep(claim, job, provider)
      if (stepped?.dueAt !== undefined) scheduler.wakeAt(jobId, stepped.dueAt)
      if (stepped?.phase === 'completed')
        schedule.observe(stepped.model, clock.now() - (job.startedAt ?? now))
    } finally {
      claim.release()
      signals.publish(jobId)
    }
  }

  async function runStep(
    claim: Claim,
    found: Job,
    provider: Step['provider'] | undefined,
  ): Promise<Job | undefined> {
    if (!provider) return claim.write(outOfTime(found.phase))
    const step = { context, job: claim.job, provider, lost: claim.lost }
    const { event, outputs } = await takeStep(step, found)
    const stepped = event ? await claim.write(event) : claim.job
    if (!outputs || !stepped) return stepped
    const collected = await collectOutputs({ ...step, job: stepped }, outputs)
    return collected.event && claim.write(collected.event)
  }

  return {
    advance(jobId) {
      const joined = latest.get(jobId)
      if (joined && clock.now() < joined.joinableUntil) return joined.step
      const step = advanceOnce(jobId)
        .catch((error: unknown) => log.error(`A step of job ${jobId} could not be taken or recorded.`, error))
        .finally(() => {
          underWay.delete(step)
          if (latest.get(jobId)?.step === step) latest.delete(jobId)
        })
      underWay.add(step)
      // A step that never comes back (a store that hangs, a worker's request that is over) must not hold its job for
      // ever: past its lease the store decides who may step.
      latest.set(jobId, { step, joinableUntil: clock.now() + leaseMs })
      return step
    },

    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** Takes the step that the job as it was found, before the claim, asks for. */
async function takeStep(step: Step, { phase, claimedUntil }: Job): Promise<StepResult> {
  const isLate = step.context.clock.now() >= step.job.deadlineAt
  if (isLate && !mayBeOver(phase, claimedUntil)) return giveUpTask(step, phase)
  if (phase === 'accepted') return submitTask(step)
  if (phase === 'submitting') return recoverSubmit(step)
  const result = await (phase === 'running' ? pollTask(step) : collectAgain(step))
  const isOver = result.outputs !== undefined || result.event?.type === 'failed'
  return isLate && !isOver ? giveUpTask(step, phase) : result
}

/**
 * Whether to ask once more at the deadline: after an outage the provider may have finished long ago, and been paid. Not
 * where an earlier holder of the claim may still be asking.
 */
function mayBeOver(phase: Job['phase'], claimedUntil: number | undefined): boolean {
  return phase === 'collecting' || (phase === 'running' && claimedUntil === undefined)
}

async function giveUpTask(step: Step, phase: Job['phase']): Promise<StepResult> {
  const { provider, job, context } = step
  if (phase === 'running' && provider.cancel) {
    await callProvider(step, context.closing, async (call) => provider.cancel?.(runningTaskOf(job), call))
  }
  return { event: outOfTime(phase) }
}

function outOfTime(phase: Job['phase']): JobEvent {
  const code = phase === 'submitting' ? 'submit_ambiguous' : 'deadline_exceeded'
  return { type: 'failed', code, message: 'The job has not finished within its time.' }
}
