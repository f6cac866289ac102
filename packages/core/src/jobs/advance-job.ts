import type { Job } from '../contracts/job.ts'
import { type Gate, longestTakingUpMs } from '../routing/gate.ts'
import type { Route } from '../routing/routes.ts'
import { callProvider } from './ask-provider.ts'
import { type Claim, claimJob, leaseMs } from './claim.ts'
import { collectAgain, collectOutputs } from './collect-outputs.ts'
import { hasStepLeft, isFinished, type JobEvent, mayStep } from './job-machine.ts'
import { type Lane, lane } from './lane.ts'
import { pollTask } from './poll-task.ts'
import { deleteFiles, isExpired } from './retention.ts'
import { runningTaskOf, type Step, type StepContext } from './step.ts'
import type { StepResult } from './step-result.ts'
import { recoverSubmit, submitTask } from './submit-task.ts'

/** How long to leave a job alone whose model or route this process does not serve: another one may. */
const foreignJobMs = 60_000

/** How many holders of a job's claim may die in a row before the job is taken to be what kills them. */
const maxAbandonedClaims = 5
const maxCopiesAtATime = 8
const longestCopyMs = 20 * 60_000
const maxOthersTakenUp = 20
/** How long a job that waits for its turn is not looked at again. */
const longestTurnMs = 10 * 60_000

export interface JobAdvancer {
  /** Takes the job's next step if it may be taken now, or joins the one under way in this process. Never rejects. */
  advance(jobId: string): Promise<void>
  /** Where a job that was left behind is taken up: behind others of its provider, not of any other. */
  laneOf(jobId: string): Promise<Lane>
  /** Resolves when no step is under way. */
  settled(): Promise<void>
}

/** Moves jobs on: one step at a time, by one hand at a time, whoever asks and however often. */
export function jobAdvancer(context: StepContext): JobAdvancer {
  const { jobs, scheduler, signals, clock, log, schedule } = context
  const underWay = new Set<Promise<void>>()
  const latest = new Map<string, { readonly step: Promise<void>; joinableUntil: number }>()
  const copies = lane(clock, maxCopiesAtATime, longestCopyMs)
  // What brings this process down must not take other suspects with it, or they would all look guilty. Those that are
  // suspected for the first time may have been beside it by chance, and only wait for others of their provider; the
  // providers of the rest take turns.
  const suspects = lane(clock, 1, longestTakingUpMs)
  const takingUpOthers = lane(clock, maxOthersTakenUp, longestTakingUpMs)

  /** The route by which the next step is to be taken; `undefined` when there is none, or none now. */
  function routeOf(job: Job): Route | undefined {
    const routes = context.routesOf(job.model)
    return job.phase === 'accepted' ? routes?.toSubmit(job) : routes?.of(job)
  }

  function noRouteMs(job: Job): number {
    const routes = context.routesOf(job.model)
    return job.phase === 'accepted' && routes ? routes.pauseMs() * (1 + Math.random()) : foreignJobMs
  }

  /** @param held the gate at which the job's turn has come */
  async function advanceOnce(jobId: string, held?: Gate): Promise<void> {
    const job = await jobs.get(jobId)
    if (!job || !hasStepLeft(job)) return
    const now = clock.now()
    if (isFinished(job) && isExpired(job, now)) return
    if (!mayStep(job, now))
      return scheduler.wakeAt(jobId, Math.max(job.claimedUntil ?? now, job.earliestAt ?? now))
    const { abandonedClaims = 0 } = job
    if (isFinished(job)) return (abandonedClaims > 0 ? suspects : copies).run(() => claimAndStep(job))
    const isLate = now >= job.deadlineAt
    const route = routeOf(job)
    if (!route && !isLate) return scheduler.wakeAt(jobId, Math.min(now + noRouteMs(job), job.deadlineAt))
    const step = () => claimAndStep(job, route)
    if (!route || route.gate === held || (isLate && !mayBeOver(job.phase, job.claimedUntil))) return step()
    // The gate of another route, which has come first while the job was waiting for its turn.
    if (held) return scheduler.wakeAt(jobId, now)
    const enter = () => enterGate(route.gate, job, step)
    if (abandonedClaims === 0) return enter()
    return route.gate.suspects.run(() => (abandonedClaims === 1 ? enter() : suspects.run(enter)))
  }

  function enterGate(
    gate: Gate,
    { id: jobId, phase, deadlineAt }: Job,
    step: () => Promise<void>,
  ): Promise<void> {
    if (!gate.steps.isFull()) return gate.steps.run(step)
    const leftMs = deadlineAt - clock.now()
    joinableFor(jobId, leftMs > 0 ? Math.min(leftMs, longestTurnMs) : longestTurnMs)
    if (leftMs > 0) scheduler.wakeAt(jobId, deadlineAt)
    // By the time of its turn the job may be another one.
    return gate.steps.run(() => {
      joinableFor(jobId, leaseMs)
      return advanceOnce(jobId, gate)
    }, phase !== 'accepted')
  }

  function joinableFor(jobId: string, durationMs: number): void {
    const joined = latest.get(jobId)
    if (joined) joined.joinableUntil = clock.now() + durationMs
  }

  async function attempt(jobId: string): Promise<void> {
    try {
      await advanceOnce(jobId)
    } catch (error) {
      log.error(`A step of job ${jobId} could not be taken or recorded.`, error)
    }
  }

  async function claimAndStep(job: Job, route?: Route): Promise<void> {
    if (context.closing.hasEnded) return
    const claim = await claimJob(jobs, clock, job, job.phase === 'accepted' ? route?.name : job.route)
    if (!claim) return
    try {
      const stepped = await runStep(claim, job, route)
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

  async function runStep(claim: Claim, found: Job, route: Route | undefined): Promise<Job | undefined> {
    const isPoison = (claim.job.abandonedClaims ?? 0) >= maxAbandonedClaims
    if (isFinished(found)) return runCopy(claim, isPoison)
    if (isPoison) return claim.write(poisoned(found.phase))
    const routes = context.routesOf(found.model)
    if (!routes || !route) return claim.write(routes ? routeGone(found) : outOfTime(found.phase))
    const { provider } = route
    const step = { context, job: claim.job, routes, route, provider, lost: claim.lost }
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
      const step = attempt(jobId).then(() => {
        underWay.delete(step)
        if (latest.get(jobId)?.step === step) latest.delete(jobId)
      })
      underWay.add(step)
      // A step that never comes back (a store that hangs, a worker's request that is over) must not hold its job for
      // ever: past its lease the store decides who may step.
      latest.set(jobId, { step, joinableUntil: clock.now() + leaseMs })
      return step
    },

    async laneOf(jobId) {
      // What can't be read is for its own step to tell: it must not end the sweep for all others.
      const job = await jobs.get(jobId).catch(() => undefined)
      const route = job && !isFinished(job) ? routeOf(job) : undefined
      return route?.gate.takingUp ?? takingUpOthers
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
  const { provider, context } = step
  if (phase === 'running' && provider.cancel) {
    await callProvider(step, context.closing, async (call) =>
      provider.cancel?.(await runningTaskOf(step), call),
    )
  }
  return { event: outOfTime(phase) }
}

const lastEvents: ReadonlySet<JobEvent['type'] | undefined> = new Set(['collected', 'failed'])

function poisoned(phase: Job['phase']): JobEvent {
  const message = `The service broke down ${maxAbandonedClaims} times in a row over this job.`
  return { type: 'failed', code: phase === 'submitting' ? 'submit_ambiguous' : 'provider_failed', message }
}

function routeGone({ phase, route }: Job): JobEvent {
  if (phase === 'accepted' || phase === 'submitting') return outOfTime(phase)
  const message = `The service no longer has the route ${route ?? 'of old'} to the provider that was making this job.`
  return { type: 'failed', code: 'provider_lost', message }
}

function outOfTime(phase: Job['phase']): JobEvent {
  const code = phase === 'submitting' ? 'submit_ambiguous' : 'deadline_exceeded'
  return { type: 'failed', code, message: 'The job has not finished within its time.' }
}
