import type { Job } from '../contracts/job.ts'
import { type Gate, longestTakingUpMs } from '../routing/gate.ts'
import type { Route } from '../routing/routes.ts'
import type { ProviderAnswer } from '../job/trouble-teller.ts'
import { type Claim, claimJob, leaseMs } from './claim.ts'
import { collectOutputs } from './collect-outputs.ts'
import type { JobEvent } from '../job/job-event.ts'
import { isFinished } from '../job/job-machine.ts'
import { type Lane, lane } from '../sharing/lane.ts'
import { deleteFiles } from '../job/retention.ts'
import type { Step, StepContext } from './step.ts'
import { maxDeaths } from './suspicion.ts'
import { outOfTime } from '../job/out-of-time.ts'
import { poisoned, routeGone, takeStep } from './take-step.ts'
import { turns } from './turns.ts'

/** How many finished jobs, and jobs without a route here, the sweep takes up at a time. */
const maxOthersTakenUp = 20
/** If a job has waited for its turn at a gate for this many milliseconds, it is looked at again. */
const longestTurnMs = 10 * 60_000
/**
 * How many milliseconds longer to wait for a step that gave no sign of life for a whole lease, because the process may
 * have been frozen.
 */
const doubtMs = 1000

/** Takes the steps of jobs. */
export interface JobAdvancer {
  /**
   * Takes the job's next step if it may be taken now, or waits for the step that is under way in this process. Never
   * rejects.
   */
  advance(jobId: string): Promise<void>
  /**
   * The lane through which the sweep takes the job up. A job waits there for other jobs of its provider, never for
   * those of another provider, and owners take turns.
   */
  laneOf(jobId: string): Promise<Lane>
  /** Resolves when no step is under way. */
  settled(): Promise<void>
  /** Ids of the jobs on which this process is taking a step. Jobs that wait for their turn are not among them. */
  underWay(): readonly string[]
}

/** A step that is under way in this process. Instants are those of the clock's uptime, in milliseconds. */
interface StepUnderWay {
  readonly step: Promise<void>
  /** Until when the step counts as alive without another sign of life. */
  aliveUntil: number
  /** Whether the step only waits for its turn. */
  isWaiting: boolean
  /** When `isAlive` first found the step without a sign of life. */
  doubtedAt: number | undefined
}

/** Makes the advancer of a service. However often and by whomever it is asked, it takes one step of a job at a time. */
export function jobAdvancer(context: StepContext): JobAdvancer {
  const { jobs, scheduler, signals, clock, log, trouble, schedule, routesOf } = context
  const underWay = new Set<Promise<void>>()
  const inHand = new Set<Job>()
  const latest = new Map<string, StepUnderWay>()
  const takingUpOthers = lane(clock, maxOthersTakenUp, longestTakingUpMs)
  const turn = turns({ clock, routesOf, isFull: context.heldBytes.isFull })

  /** @param held the gate that has just given the job its turn */
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
    // The job is read again when its turn comes, because it may have changed while it waited.
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
   * Whether to go on waiting for a step. A step that never settles (because it belongs to a worker's request that is
   * over) must not block its job for ever. Another step may then be tried here, and the claim in the store decides
   * whether it is taken.
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
      log.error(`A step of job ${jobId} could not be taken or recorded.`, { job: jobId, cause: error })
    }
  }

  async function claimAndStep(job: Job, route?: Route): Promise<void> {
    if (context.closing.hasEnded) return
    inHand.add(job)
    await claimAndTake(job, route).finally(() => inHand.delete(job))
  }

  async function claimAndTake(job: Job, route?: Route): Promise<void> {
    const routeName = job.phase === 'accepted' ? route?.name : job.route
    const provider = route?.provider.name
    const claim = await claimJob(context, job, {
      route: routeName,
      provider,
      onBeat: () => keepAlive(job.id),
    })
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
    const record = (event: JobEvent, answer?: ProviderAnswer) => recordEvent(claim, event, route, answer)
    if (deaths >= maxDeaths) return record(poisoned(found))
    const routes = routesOf(found.model)
    if (!routes || !route) return record(routes ? routeGone(found) : outOfTime(found))
    const { provider } = route
    const { job, confirm } = claim
    const step: Step = { context, job, routes, route, provider, confirm }
    const { event, outputs, answer } = await takeStep(step, found)
    const stepped = event ? await record(event, answer) : job
    if (event?.type === 'succeeded' || event?.type === 'failed')
      context.callbacks.ended(provider.name, found.id)
    if (!outputs || !stepped) return stepped
    const collected = await collectOutputs({ ...step, job: stepped }, outputs)
    return collected.event && record(collected.event)
  }

  /**
   * Writes the event. If the job fails or the event can't be written, tells the log: every failure of a job is written
   * here, by the one process that wins the write.
   */
  async function recordEvent(
    claim: Claim,
    event: JobEvent,
    route: Route | undefined,
    answer: ProviderAnswer | undefined,
  ): Promise<Job | undefined> {
    const provider = route?.provider.name
    try {
      const stepped = await claim.write(event)
      if (stepped && isFinished(stepped)) {
        context.running.saw(stepped)
        context.onJobEnd(stepped)
        trouble.ended(stepped, provider, answer)
      }
      return stepped
    } catch (fault) {
      trouble.unwritten(claim.job, event, provider, fault)
      return undefined
    }
  }

  async function runCopy({ job, lost, write }: Claim, isPoison: boolean): Promise<Job | undefined> {
    const copyOutputs = isPoison ? undefined : context.copyOutputs
    const event: JobEvent = (await copyOutputs?.(job, lost)) ?? { type: 'copied', outputs: job.outputs }
    const copied = await write(event)
    // While we were copying, another process has deleted the job with its files. Our copies would otherwise stay for
    // ever.
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
      // If this job can't be read, the sweep must go on with the others. The job's own step will report the fault.
      const job = await jobs.get(jobId).catch(() => undefined)
      const route = job && !isFinished(job) ? turn.routeOf(job) : undefined
      const { isFull, run } = route?.gate.takingUp ?? takingUpOthers
      return { isFull, run: (step, isUrgent) => run(step, isUrgent, job?.owner) }
    },

    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },

    underWay: () => [...new Set(Array.from(inHand, ({ id }) => id))],
  }
}
