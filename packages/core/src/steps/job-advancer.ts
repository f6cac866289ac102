import type { Job } from '../contracts/job.ts'
import { type Gate, longestTakingUpMs } from '../routing/gate.ts'
import type { Route } from '../routing/routes.ts'
import { type Claim, keepClaim, leaseMs, leastHoldingMs } from '../claims/claim.ts'
import { hasClaimedAhead } from '../claims/claim-ahead.ts'
import { beginClaim, claimJob } from '../claims/claim-job.ts'
import { toleranceMs } from '../clock/clock-steps.ts'
import { heardAt, isFinished } from '../job/job-state.ts'
import { leftToOthersUntil } from '../turns/left-to-others.ts'
import { append, type Linked, type LinkedList, takeOut } from '../lists/linked-list.ts'
import { type Lane, lane } from '../sharing/lane.ts'
import { newsTeller, type TaskFollower, taskFollower } from './task-follower.ts'
import { quietPoll } from './step-result.ts'
import type { StepContext } from './step.ts'
import { stepRunner } from './step-runner.ts'
import { nextJob } from '../job/job-machine.ts'
import { replaceJob } from '../claims/replace-job.ts'
import { type DoubtfulWrite, takeBack } from '../claims/take-back.ts'
import { stepsUnderWay } from '../turns/steps-under-way.ts'
import { turns } from '../turns/turns.ts'

/** How many finished jobs, and jobs without a route here, the sweep takes up at a time. */
const maxOthersTakenUp = 20
/** If a job has waited for its turn at a gate for this many milliseconds, it is read again. */
const longestTurnMs = 10 * 60_000
/** For how long to ask an unavailable store for a job that is to be deleted, in milliseconds. */
const deletingMs = 5 * 60_000

/** A job on which this process is taking a step. */
interface Held extends Linked<Held> {
  readonly id: string
}

/** Takes the steps of jobs. */
export interface JobAdvancer {
  /**
   * Takes the job's next step if it may be taken now, or waits for the step that is under way in this process. Never
   * rejects.
   */
  advance(jobId: string): Promise<void>
  /**
   * Begins the submit of a new job if it need not wait for its turn, which saves a read. If the provider can say later
   * whether it has got the job, or the job ends with this process, the job is inserted with its claim, which saves a
   * write.
   * @param made the new job, which has no claim, and the revision 0 as long as no write has stored it
   */
  begin(made: Job): Beginning
  /**
   * The lane through which the sweep takes the job up. A job waits there for other jobs of its provider, never for
   * those of another provider, and owners take turns.
   */
  laneOf(jobId: string): Promise<Pick<Lane, 'run'>>
  /** Makes the provider follow the task of a running job, for one watch of the job. */
  readonly follow: TaskFollower
  /** Resolves when neither a step nor work of a plugin is under way. */
  settled(): Promise<void>
  /** Ids of the jobs on which this process is taking a step. Jobs that wait for their turn are not among them. */
  underWay(): readonly string[]
  /** Whether a step of the job is under way. */
  isUnderWay(jobId: string): boolean
}

/** A new job before its insert. If its submit has begun, it keeps its place at the provider. */
export interface Beginning {
  /** The job to be inserted. */
  readonly job: Job
  /**
   * Must be called once, after the insert. When the job is `stored`, its first step begins. When it is `unknown`
   * whether the job is stored, the client gets the answer that it is not: a job without an idempotency key is then deleted,
   * and no other job stays claimed.
   */
  settle(insert: 'stored' | 'absent' | 'unknown'): void
}

/** Makes the advancer of a service. It takes one step of a job at a time, however often it is called. */
export function jobAdvancer(context: StepContext): JobAdvancer {
  const { jobs, scheduler, signals, clock, log, trouble, schedule, processes, routesOf } = context
  const underWay = stepsUnderWay(clock, log)
  const inHand: LinkedList<Held> = {}
  const takingUpOthers = lane(clock, maxOthersTakenUp, longestTakingUpMs)
  const tellNews = newsTeller(signals, clock)
  const runStep = stepRunner(context, tellNews)
  const turn = turns({
    clock,
    sureNow: context.sureNow,
    processes,
    routesOf,
    isFull: context.heldBytes.isFull,
  })

  /** Takes a write back of which this process got no answer, and then takes the job's next step. */
  async function takeBackWrite(write: DoubtfulWrite): Promise<void> {
    const left = await takeBack(context, write)
    if (!left) return
    if (isFinished(left)) trouble.ended(left)
    signals.publish(left.id, left)
    scheduler.wakeAt(left.id, clock.now())
  }

  /** @param held the gate that has just given the job its turn */
  async function advanceOnce(jobId: string, held?: Gate): Promise<void> {
    const recent = held ? undefined : context.recent.take(jobId, (job) => turn.of(job).kind === 'step')
    const job = recent ?? (await jobs.get(jobId))
    if (job) {
      context.running.saw(job)
      context.plugins.due(job)
    }
    const next = turn.of(job, held)
    if (!job || next.kind === 'none') return
    if (next.kind === 'wait') {
      if (next.isForsaken) trouble.forsaken(job)
      return scheduler.wakeAt(jobId, next.until)
    }
    // Only such a job is worth a promise: each step of every job comes here.
    if (job.setback?.why === 'input' && (await isAwaiting(job))) return
    const { lanes, route, gate } = next
    const step = () => claimAndStep(job, route)
    const enter = gate ? () => enterGate(gate, job, step) : step
    // The lanes are those of all providers. If one provider hangs, its jobs take turns with those of the others.
    const who = `${job.provider ?? route?.provider.name}: ${job.owner}`
    return lanes.reduceRight((inside, outer) => () => outer.run(inside, false, who), enter)()
  }

  /** Whether something is awaited that the input of the job needs. The job is then looked at later. */
  async function isAwaiting(job: Job): Promise<boolean> {
    if (job.phase !== 'accepted' || clock.now() >= job.deadlineAt) return false
    const retryAt = await context.plugins.awaitsInput(job)
    if (retryAt === undefined) return false
    const now = clock.now()
    // A read of the job that has caused this look does not put the next one off.
    const isAhead = job.dueAt !== undefined && job.dueAt > now
    const stored = isAhead ? job : await putOff(job, retryAt, now)
    if (!stored) return true
    tellNews(job.id, { queuePosition: 1 })
    scheduler.wakeAt(job.id, stored.dueAt ?? now)
    return true
  }

  /** @returns `undefined` when another process has written the job, which then knows when it is due */
  async function putOff(job: Job, retryAt: number, now: number): Promise<Job | undefined> {
    const next = nextJob(job, { type: 'awaiting', retryAt }, now)
    const written = typeof next === 'string' ? undefined : (await replaceJob(jobs, next, job)).written
    if (written) signals.publish(job.id, written)
    return written
  }

  function enterGate(
    gate: Gate,
    { id: jobId, owner, phase, deadlineAt }: Job,
    step: () => Promise<void>,
  ): Promise<void> {
    const isUrgent = phase !== 'accepted'
    if (!gate.steps.isFull()) return gate.steps.run(step, isUrgent, owner)
    const leftMs = deadlineAt - clock.now()
    underWay.keepAlive(jobId, leftMs > 0 ? Math.min(leftMs, longestTurnMs) : longestTurnMs, true)
    if (leftMs > 0) scheduler.wakeAt(jobId, deadlineAt)
    // The job is read again when its turn comes, because it may have changed while it waited.
    const take = () => {
      underWay.keepAlive(jobId, leaseMs)
      return advanceOnce(jobId, gate)
    }
    return gate.steps.run(take, isUrgent, owner)
  }

  /** @param leave gives back the place that the job has at its provider, at the end of the step. @default it has none */
  async function claimAndStep(job: Job, route?: Route, leave?: () => void): Promise<void> {
    if (context.closing.hasEnded) return leave?.()
    const claiming = claimJob(context, job, {
      by: namesOf(route),
      nextPoll: quietPoll(context, job, route),
      onBeat: () => underWay.keepAlive(job.id, leaseMs),
      onDoubt: (claimToken) =>
        void takeBackWrite({ id: job.id, claimToken, isUnwanted: false, forMs: holdingMs(job) }),
    })
    return stepUnder(claiming, job, route, leave)
  }

  /** Takes a place at the provider of a new job. @returns `undefined` when the job has to wait for its turn */
  function beginSubmit(made: Job) {
    const next = context.closing.hasEnded ? undefined : turn.of(made)
    if (next?.kind !== 'step' || next.lanes.length > 0) return undefined
    const { route, gate } = next
    if (!route || !gate || gate.steps.isFull()) return undefined
    // If this process died between insert and submit, nobody could find out that the provider has got nothing. Such a
    // job is claimed by a write of its own, unless it ends with this process. Without an idempotency key, no sweep takes
    // it up for as long as a claim would last: if its create is refused, as the store does not answer in time, it must be
    // deleted before anybody submits it.
    const { find, dedupesSubmits } = route.provider
    const isClaimedLater = !find && !dedupesSubmits && !context.isInThisProcess
    const begun = isClaimedLater ? undefined : beginClaim(context, made, namesOf(route))
    if (!begun && !isClaimedLater) return undefined
    const left = made.idempotency ? {} : { dueAt: clock.now() + leaseMs }
    const job = begun?.job ?? { ...made, ...left, revision: 1 }
    const giveBack = gate.steps.take(made.owner)
    const submit = () => {
      if (!begun) return claimAndStep(job, route, giveBack)
      const claim = keepClaim(context, begun, () => underWay.keepAlive(made.id, leaseMs))
      return stepUnder(claim, made, route, giveBack)
    }
    return { job, giveBack, submit }
  }

  /** For how long to try to write what concerns a claim of the job, in milliseconds. */
  function holdingMs({ deadlineAt }: Job): number {
    return Math.max(leastHoldingMs, deadlineAt - clock.now())
  }

  async function stepUnder(
    claiming: Claim | Promise<Claim | undefined>,
    job: Job,
    route?: Route,
    leave?: () => void,
  ): Promise<void> {
    const held: Held = { id: job.id }
    append(inHand, held)
    let claim: Claim | undefined
    let stepped: Job | undefined
    try {
      claim = claiming instanceof Promise ? await claiming : claiming
      if (!claim) return
      stepped = await runStep(claim, job, route)
      if (stepped?.dueAt !== undefined) scheduler.wakeAt(job.id, nextLookAt(stepped))
      if (stepped?.phase === 'completed' && !isFinished(job)) learn(job, stepped)
    } finally {
      takeOut(inHand, held)
      claim?.release()
      if (claim) signals.publish(job.id, stepped)
      leave?.()
    }
  }

  /** Learns how long the task has taken, unless it began before this process could notice that the clock was set. */
  function learn(job: Job, stepped: Job): void {
    const { startedAt } = stepped
    const tookMs = startedAt === undefined ? undefined : context.clockSteps.elapsedSince(startedAt)
    if (startedAt === undefined || tookMs === undefined) return
    const isEven = Math.abs(clock.now() - startedAt - tookMs) <= toleranceMs
    const heardMs = isEven ? (heardAt(job) ?? startedAt) - startedAt : undefined
    schedule.observe(stepped, tookMs, heardMs)
  }

  /**
   * When to read the job again. After a poll without news, a callback may have been written to the job in the meantime.
   */
  function nextLookAt(job: Job): number {
    const { id, claim, dueAt = clock.now() } = job
    return claim?.isQuiet && !hasClaimedAhead(job, processes) && underWay.wasAsked(id)
      ? clock.now()
      : (leftToOthersUntil(job, processes) ?? dueAt)
  }

  function advance(jobId: string): Promise<void> {
    return underWay.join(jobId) ?? underWay.add(jobId, advanceOnce(jobId), leaseMs)
  }

  return {
    advance,

    begin(made) {
      const begun = beginSubmit(made)
      const job = begun?.job ?? { ...made, revision: 1 }
      const { id, claim, idempotency } = job
      return {
        job,
        settle(insert) {
          if (insert === 'stored')
            return void (begun ? underWay.add(id, begun.submit(), leaseMs) : advance(id))
          begun?.giveBack()
          if (insert === 'absent') return
          const forMs = idempotency ? holdingMs(made) : deletingMs
          void takeBackWrite({ id, claimToken: claim?.token, isUnwanted: !idempotency, forMs })
        },
      }
    },

    async laneOf(jobId) {
      // If this job can't be read, the sweep must continue with the others. The job's own step will report the error.
      const job = await jobs.get(jobId).catch(() => undefined)
      const route = job && !isFinished(job) ? turn.routeOf(job) : undefined
      const { run } = route?.gate.takingUp ?? takingUpOthers
      return { run: (step, isUrgent) => run(step, isUrgent, job?.owner) }
    },

    follow: taskFollower(context, turn.routeOf, tellNews),

    async settled() {
      await underWay.settled()
      await context.plugins.settled()
    },
    underWay() {
      const ids = new Set<string>()
      for (let held = inHand.first; held; held = held.after) ids.add(held.id)
      return [...ids]
    },
    isUnderWay: underWay.has,
  }
}

/** What a job remembers of the route by which it is submitted. */
function namesOf(route: Route | undefined) {
  return { route: route?.name, provider: route?.provider.name, providerModel: route?.model }
}
