import type { Job } from '../contracts/job.ts'
import { type Gate, longestTakingUpMs } from '../routing/gate.ts'
import type { Route } from '../routing/routes.ts'
import { badEnding, unwritten } from '../job/bad-ending.ts'
import { type Claim, claimJob, leaseMs } from './claim.ts'
import { collectOutputs } from './collect-outputs.ts'
import { isFinished, type JobEvent } from '../job/job-machine.ts'
import { type Lane, lane } from '../sharing/lane.ts'
import { deleteFiles } from '../job/retention.ts'
import { shortText } from '../text/short-text.ts'
import type { Step, StepContext } from './step.ts'
import { maxDeaths } from './suspicion.ts'
import { outOfTime, poisoned, routeGone, takeStep } from './take-step.ts'
import { turns } from './turns.ts'

const maxOthersTakenUp = 20
/** How long a job that waits for its turn is not looked at again. */
const longestTurnMs = 10 * 60_000
/** A step without a sign of life for a whole lease is waited for this much longer: the process may have been frozen. */
const doubtMs = 1000

export interface JobAdvancer {
  /** Takes the job's next step if it may be taken now, or joins the one under way in this process. Never rejects. */
  advance(jobId: string): Promise<void>
  /** Where a job that was left behind is taken up: behind others of its provider, not of any other, in its owner's turn. */
  laneOf(jobId: string): Promise<Lane>
  /** Resolves when no step is under way. */
  settled(): Promise<void>
  /** Ids of the jobs on which a step is under way. */
  underWay(): readonly string[]
}

/** A job's step in this process. Instants are of the clock's uptime. */
interface StepUnderWay {
  readonly step: Promise<void>
  aliveUntil: number
  /** Whether it only waits for its turn. */
  isWaiting: boolean
  doubtedAt: number | undefined
}

/** Moves jobs on: one step at a time, by one hand at a time, whoever asks and however often. */
export function jobAdvancer(context: StepContext): JobAdvancer {
  const { jobs, scheduler, signals, clock, log, schedule, routesOf } = context
  const underWay = new Set<Promise<void>>()
  const latest = new Map<string, StepUnderWay>()
  const takingUpOthers = lane(clock, maxOthersTakenUp, longestTakingUpMs)
  const turn = turns({ clock, routesOf, isFull: context.heldBytes.isFull })

  /** @param held the gate at which the job's turn has come */
  async function advanceOnce(jobId: string, held?: Gate): Promise<void> {
    const job = await jobs.get(jobId)
    if (job) context.running.saw(job)
    const next = turn.of(job, held)
    if (!job || next.kind === 'none') return
    if (next.kind === 'wait') return scheduler.wakeAt(jobId, next.until)
    const { lanes, route, gate } = next
    const step = () => claimAndStep(job, route)
    const enter = gate ? () => enterGate(gate, job, step) : step
    return lanes.reduceRight((inside, outer) => () => outer.run(inside, false, job.owner), enter)()
  }

  function enterGate(
    gate: Gate,
    { id: jobId, owner, phase, deadlineAt }: Job,
    step: () => Promise<void>,
  ): Promise<void> {
    const isUrgent = phase !== 'accepted'
    if (!gate.steps.isFull()) return gate.steps.run(step, isUrgent, owner)
    const leftMs = deadlineAt - clock.now()
    keepAlive(jobId, leftMs > 0 ? Math.min(leftMs, longestTurnMs) : longestTurnMs, true)
    if (leftMs > 0) scheduler.wakeAt(jobId, deadlineAt)
    // By the time of its turn the job may have changed.
    const take = () => {
      keepAlive(jobId)
      return advanceOnce(jobId, gate)
    }
    return gate.steps.run(take, isUrgent, owner)
  }

  function keepAlive(jobId: string, durationMs = leaseMs, isWaiting = false): void {
    const step = latest.get(jobId)
    if (step) Object.assign(step, alive(durationMs, isWaiting))
  }

  function alive(durationMs: number, isWaiting: boolean): Omit<StepUnderWay, 'step'> {
    return { aliveUntil: clock.uptime() + durationMs, isWaiting, doubtedAt: undefined }
  }

  /**
   * A step that never comes back (a worker's request that is over) must not hold its job for ever: the store decides then
   * who may step.
   */
  function isAlive(step: StepUnderWay): boolean {
    const now = clock.uptime()
    if (now < step.aliveUntil) return true
    if (step.isWaiting) return false
    step.doubtedAt ??= now
    return now < step.doubtedAt + doubtMs
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
    const routeName = job.phase === 'accepted' ? route?.name : job.route
    const claim = await claimJob(context, job, { route: routeName, onBeat: () => keepAlive(job.id) })
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
    const { abandonedClaims: deaths = 0 } = claim.job
    if (isFinished(found)) return runCopy(claim, deaths >= maxDeaths)
    const record = (event: JobEvent) => recordEvent(claim, event, route)
    if (deaths >= maxDeaths) return record(poisoned(found))
    const routes = routesOf(found.model)
    if (!routes || !route) return record(routes ? routeGone(found) : outOfTime(found.phase))
    const { provider } = route
    const { job, lost, confirm } = claim
    const step: Step = { context, job, routes, route, provider, lost, confirm }
    const { event, outputs } = await takeStep(step, found)
    const stepped = event ? await record(event) : job
    if (event?.type === 'succeeded' || event?.type === 'failed')
      context.callbacks.ended(provider.name, found.id)
    if (!outputs || !stepped) return stepped
    const collected = await collectOutputs({ ...step, job: stepped }, outputs)
    return collected.event && record(collected.event)
  }

  /** What comes to a bad end, or can't be written, is told: the log is the only place left for it. */
  async function recordEvent(
    claim: Claim,
    event: JobEvent,
    route: Route | undefined,
  ): Promise<Job | undefined> {
    const provider = route?.provider.name
    try {
      const stepped = await claim.write(event)
      if (stepped && isFinished(stepped)) {
        context.running.saw(stepped)
        context.onJobEnd(stepped)
      }
      const told = stepped && badEnding(stepped, provider)
      if (told !== undefined) log.error(told)
      return stepped
    } catch (fault) {
      // The fault is not given as a cause: the log tells faults of the store once a minute, but this for each job.
      log.error(`${unwritten(claim.job, event, provider)} ${shortText(fault)}`)
      return undefined
    }
  }

  async function runCopy({ job, lost, write }: Claim, isPoison: boolean): Promise<Job | undefined> {
    const copyOutputs = isPoison ? undefined : context.copyOutputs
    const event: JobEvent = (await copyOutputs?.(job, lost)) ?? { type: 'copied', outputs: job.outputs }
    const copied = await write(event)
    // Another process has deleted the job with its files while we were copying: our copies would stay for ever.
    if (!copied && !(await jobs.get(job.id))) await deleteFiles(job, context)
    return copied
  }

  return {
    advance(jobId) {
      const joined = latest.get(jobId)
      if (joined && isAlive(joined)) return joined.step
      const step = attempt(jobId).then(() => {
        underWay.delete(step)
        if (latest.get(jobId)?.step === step) latest.delete(jobId)
      })
      underWay.add(step)
      latest.set(jobId, { step, ...alive(leaseMs, false) })
      return step
    },

    async laneOf(jobId) {
      // A job that can't be read must not end the sweep for all others. Its own step tells of the fault.
      const job = await jobs.get(jobId).catch(() => undefined)
      const route = job && !isFinished(job) ? turn.routeOf(job) : undefined
      const { isFull, run } = route?.gate.takingUp ?? takingUpOthers
      return { isFull, run: (step, isUrgent) => run(step, isUrgent, job?.owner) }
    },

    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },

    underWay: () => [...latest.keys()],
  }
}
