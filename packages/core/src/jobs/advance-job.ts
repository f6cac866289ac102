import pRetry from 'p-retry'
import type { Job } from '../contracts/job.ts'
import { callProvider } from './ask-provider.ts'
import { type Claim, claimJob } from './claim.ts'
import { collectAgain, collectOutputs } from './collect-outputs.ts'
import { isFinished, type JobEvent, mayStep } from './job-machine.ts'
import { pollTask } from './poll-task.ts'
import { runningTaskOf, type Step, type StepContext, type StepResult } from './step.ts'
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
  const underWay = new Map<string, Promise<void>>()

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
      const stepped = await runStep(claim, job.phase, provider)
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
    phase: Job['phase'],
    provider: Step['provider'] | undefined,
  ): Promise<Job | undefined> {
    if (!provider) return record(claim, outOfTime(phase))
    const step = { context, job: claim.job, provider, lost: claim.lost }
    const { event, outputs } = await takeStep(step, phase)
    const stepped = event ? await record(claim, event) : claim.job
    if (!outputs || !stepped) return stepped
    const collected = await collectOutputs({ ...step, job: stepped }, outputs)
    return collected.event && record(claim, collected.event)
  }

  /** What a step brought may have cost money, so a store that stumbles is asked again. */
  function record(claim: Claim, event: JobEvent): Promise<Job | undefined> {
    return pRetry(() => claim.write(event), { retries: 6, minTimeout: 50, factor: 3, maxTimeout: 5000 })
  }

  return {
    advance(jobId) {
      const joined = underWay.get(jobId)
      if (joined) return joined
      const taken = advanceOnce(jobId)
        .catch((error: unknown) => log.error(`A step of job ${jobId} could not be taken or recorded.`, error))
        .finally(() => underWay.delete(jobId))
      underWay.set(jobId, taken)
      return taken
    },

    async settled() {
      while (underWay.size > 0) await Promise.all(underWay.values())
    },
  }
}

/** Takes the step that the job's phase before the claim asks for. */
async function takeStep(step: Step, phase: Job['phase']): Promise<StepResult> {
  if (step.context.clock.now() >= step.job.deadlineAt) return giveUpTask(step, phase)
  if (phase === 'accepted') return submitTask(step)
  if (phase === 'submitting') return recoverSubmit(step)
  return phase === 'running' ? pollTask(step) : collectAgain(step)
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
