import pLimit from 'p-limit'
import type { Job } from '../contracts/job.ts'
import { callProvider } from './ask-provider.ts'
import { type Claim, claimJob, leaseMs } from './claim.ts'
import { collectAgain, collectOutputs } from './collect-outputs.ts'
import { hasStepLeft, isFinished, type JobEvent, mayStep } from './job-machine.ts'
import { places } from './places.ts'
import { pollTask } from './poll-task.ts'
import { deleteFiles, isExpired } from './retention.ts'
import { runningTaskOf, type Step, type StepContext } from './step.ts'
import type { StepResult } from './step-result.ts'
import { recoverSubmit, submitTask } from './submit-task.ts'

/** How long to leave a job alone whose model this process does not serve: another one may. */
const foreignModelMs = 60_000

/** How many holders of a job's claim may die in a row before the job is taken to be what kills them. */
const maxAbandonedClaims = 5
const maxCopiesAtATime = 8

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
  const copies = pLimit(maxCopiesAtATime)
  // What brings this process down must not take other suspects with it, or they would all look guilty.
  const suspects = places(clock, 1)

  async function advanceOnce(jobId: string): Promise<void> {
    const job = await jobs.get(jobId)
    if (!job || !hasStepLeft(job)) return
    const now = clock.now()
    if (isFinished(job) && isExpired(job, now)) return
    if (!mayStep(job, now))
      return scheduler.wakeAt(jobId, Math.max(job.claimedUntil ?? now, job.earliestAt ?? now))
    if (!isFinished(job) && !context.providerOf(job.model) && now < job.deadlineAt)
      return scheduler.wakeAt(jobId, now + foreignModelMs)
    const step = () => claimAndStep(job)
    if ((job.abandonedClaims ?? 0) > 0) return suspects(step)
    return isFinished(job) ? copies(step) : step()
  }

  async function claimAndStep(job: Job): Promise<void> {
    if (context.closing.hasEnded) return
    const claim = await claimJob(jobs, clock, job)
    if (!claim) return
    try {
      const stepped = await runStep(claim, job)
      if (stepped?.dueAt !== undefined) scheduler.wakeAt(job.id, stepped.dueAt)
      if (stepped?.phase === 'completed' && !isFinished(job)) {
        const { startedAt = clock.now() } = stepped
        schedule.observe(job.model, clock.now() - startedAt, (job.checkedAt ?? startedAt) - startedAt)
      }
    } finally {
      claim.release()
      signals.publish(job.id)
    }
  }

  async function runStep(claim: Claim, found: Job): Promise<Job | undefined> {
    const isPoison = (claim.job.abandonedClaims ?? 0) >= maxAbandonedClaims
    if (isFinished(found)) return runCopy(claim, isPoison)
    if (isPoison) return claim.write(poisoned(found.phase))
    const provider = context.providerOf(found.model)
    if (!provider) return claim.write(outOfTime(found.phase))
    const step = { context, job: claim.job, provider, lost: claim.lost }
    const { event, outputs } = await takeStep(step, found)
    const stepped = event ? await claim.write(event) : claim.job
    if (event?.type === 'succeeded' || event?.type === 'failed')
      context.callbacks.ended(provider.name, found.id)
    if (!outputs || !stepped) return stepped
    const collected = await collectOutputs({ ...step, job: stepped }, outputs)
    return collected.event && claim.write(collected.event)
  }

  async function runCopy({ job, lost, write }: Claim, isPoison: boolean): Promise<Job | undefined> {
    const copyOutputs = isPoison ? undefined : context.copyOutputs
    const event: JobEvent = (await copyOutputs?.(job, lost)) ?? { type: 'copied', outputs: job.outputs }
    const copied = await write(event)
    // Whoever held the job after us has deleted it with its files, and what we put came later.
    if (!copied && !(await jobs.get(job.id))) await deleteFiles(job, context.files)
    return copied
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
  const isOver = result.outputs !== undefined || lastEvents.has(result.event?.type)
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

const lastEvents: ReadonlySet<JobEvent['type'] | undefined> = new Set(['collected', 'failed'])

function poisoned(phase: Job['phase']): JobEvent {
  const message = `The service broke down ${maxAbandonedClaims} times in a row over this job.`
  return { type: 'failed', code: phase === 'submitting' ? 'submit_ambiguous' : 'provider_failed', message }
}

function outOfTime(phase: Job['phase']): JobEvent {
  const code = phase === 'submitting' ? 'submit_ambiguous' : 'deadline_exceeded'
  return { type: 'failed', code, message: 'The job has not finished within its time.' }
}
