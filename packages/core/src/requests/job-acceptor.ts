import type { Clock } from '../contracts/clock.ts'
import type { Job, JobInputs } from '../contracts/job.ts'
import type { InsertOutcome, WatchedStore } from '../contracts/storage/job-store.ts'
import type { Reservation } from '../contracts/plugin/service-plugin.ts'
import type { Model } from '../contracts/provider.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { newJobId, randomUuid } from '../job/job-id.ts'
import { orderedSeconds } from '../pricing/expected-usd.ts'
import { awaitingJob } from '../job/stepped-job.ts'
import { type RunningJobs, tooManyRunning } from '../job/running-jobs.ts'
import type { OrderedRoutes } from '../routing/route-ordering.ts'
import type { JobAdvancer } from '../steps/job-advancer.ts'
import { type JobRequest, checkJobRequest, checkLimitHeld } from './job-request.ts'
import { lifeOf, type LifeOptions } from './job-life.ts'
import { type OrderRoutes, requestReader } from './request-reader.ts'
import type { CreateCalls } from '../plugins/create-calls.ts'
import { tally } from '../pacing/ending.ts'
import { sha256Hex } from '../text/sha256-hex.ts'
import { checkTexts } from '../input/validate-input.ts'
import { shownInput } from '../input/shown-input.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** What {@link jobAcceptor} works with. */
export interface AcceptContext {
  readonly jobs: WatchedStore
  readonly models: readonly Model[]
  readonly modelOf: (id: string) => Model | undefined
  readonly plugins: CreateCalls
  /** Starts the service. @throws GenerationError `shutting_down` */
  readonly start: () => void
  /** Waits until the clock can be relied on. @returns `undefined` when it can */
  readonly clockIsRight: () => Promise<void> | undefined
  readonly orderRoutes: OrderRoutes
  readonly running: RunningJobs
  readonly clock: Clock
  /** Begins the submit of a job that is about to be inserted. */
  readonly begin: JobAdvancer['begin']
}

/** After a failed insert: how long to read whether the job was stored nevertheless, in milliseconds. */
const lookLimitMs = 200

/** What a client has ordered, checked. */
interface Order extends Required<JobInputs> {
  readonly metadata: Job['metadata'] | undefined
  readonly webhook: Job['webhook'] | undefined
  readonly reservedUsd: number | undefined
  readonly ordered: OrderedRoutes | undefined
}

/** Within which limits a job is inserted. */
interface Limits {
  readonly maxUnfinished?: number | undefined
  readonly reservation?: Reservation | undefined
}

/** The answer to a create. */
export interface Accepted {
  readonly job: Job
  /** Whether the job is an earlier one, created by a request with the same idempotency key and body. */
  readonly replayed: boolean
  /** What is left with this job of the budgets of its owner and key, in US dollars. Absent without budgets. */
  readonly budgetLeftUsd?: number | undefined
}

/** Turns requests into stored jobs, and begins their first step. A request that is refused leaves nothing in the store. */
export interface JobAcceptor {
  accept(request: JobRequest): Promise<Accepted>
  /**
   * Stores a new job with the owner, model, input and metadata of a job that has failed. A second call for the same job
   * returns the job of the first call. The app's `admit` is not called.
   */
  acceptAgain(failed: Job): Promise<Accepted>
  /** Resolves when no insert is under way, so that every client has an answer. */
  settled(): Promise<void>
}

/** Makes the acceptor of a service. */
export function jobAcceptor(options: LifeOptions, context: AcceptContext): JobAcceptor {
  const keysInProgress = new Set<string>()
  const inserting = tally()
  const requests = requestReader(context)

  /** @returns a promise if the clock can't be relied on yet. @throws TypeError for a request that no client can make */
  function begin(request: JobRequest): Promise<void> | undefined {
    context.start()
    checkJobRequest(request)
    return context.clockIsRight()
  }

  async function accept(request: JobRequest, idempotency?: Job['idempotency']): Promise<Accepted> {
    const isUnchecked = begin(request)
    if (isUnchecked) await isUnchecked
    const reading = requests.validOrder(request)
    const { model, ordered, metadata, webhook, input, mustLiveUntil, awaitedUntil } =
      reading instanceof Promise ? await reading : reading
    const { owner, keyId, spendUsdPerDay } = request
    const create = { owner, keyId, model, input, spendUsdPerDay, isDryRun: false }
    const admitting = context.plugins.admit?.(create)
    const places = admitting && (await admitting)
    let giveBack = () => {}
    let accepted: Accepted | undefined
    try {
      checkLimitHeld(request, places?.reservation)
      if (places?.maxUnfinished === undefined) giveBack = context.running.reserve(owner)
      const shown = shownInput(input)
      const shownCopy = shown instanceof Promise ? await shown : shown
      // If the service has closed in the meantime, this throws, because no process would take the steps of the job.
      context.start()
      const inputs = { input, shownInput: shownCopy }
      const reservedUsd = places?.reservation?.usd
      const made = newJob(request, model, { ...inputs, metadata, webhook, reservedUsd, ordered }, idempotency)
      const job =
        awaitedUntil === undefined
          ? made
          : awaitingJob(made, made.createdAt, { type: 'awaiting', retryAt: awaitedUntil })
      mustLiveUntil?.(job.deadlineAt)
      places?.inserts(job.id)
      accepted = await store(job, places)
      context.running.saw(accepted.job)
      if (!accepted.replayed) ordered?.logFor(accepted.job)
      return accepted
    } finally {
      giveBack()
      places?.leave(accepted?.replayed === false)
    }
  }

  function newJob(
    { owner, keyId }: Pick<JobRequest, 'owner' | 'keyId'>,
    model: Model,
    order: Order,
    idempotency: Job['idempotency'],
  ): Job {
    const { metadata, webhook, reservedUsd, ordered } = order
    const createdAt = context.clock.now()
    const seconds = orderedSeconds(model.price, order.input)
    return {
      id: newJobId(createdAt),
      owner,
      model: model.id,
      outputKind: model.outputKind,
      phase: 'accepted',
      // The write that stores the job makes this 1.
      revision: 0,
      input: order.input,
      shownInput: order.shownInput,
      clientToken: randomUuid(),
      createdAt,
      updatedAt: createdAt,
      ...lifeOf(model, createdAt, options),
      dueAt: createdAt,
      earliestAt: createdAt,
      attempts: 0,
      outputs: [],
      costUsd: 0,
      inferenceMs: 0,
      ...(keyId !== undefined && { keyId }),
      ...(seconds !== undefined && { seconds }),
      ...(metadata && { metadata }),
      ...(webhook && { webhook }),
      ...(reservedUsd !== undefined && { reservedUsd }),
      ...(ordered && { routeOrder: ordered.names }),
      ...(idempotency && { idempotency }),
    }
  }

  async function store(made: Job, within: Limits = {}): Promise<Accepted> {
    const { job, settle } = context.begin(made)
    inserting.begin()
    let inserted: InsertOutcome
    try {
      inserted = await context.jobs.insert(job, within.maxUnfinished, within.reservation?.budgets)
    } catch (fault) {
      if (!(await isStored(job))) {
        settle('unknown')
        throw fault
      }
      inserted = { outcome: 'inserted' }
    } finally {
      inserting.end()
    }
    const isInserted = inserted.outcome === 'inserted'
    if (isInserted) context.jobs.wrote(job, undefined)
    settle(isInserted ? 'stored' : 'absent')
    return resultOf(inserted, job, within)
  }

  function resultOf(inserted: InsertOutcome, job: Job, within: Limits): Accepted {
    switch (inserted.outcome) {
      case 'inserted': {
        const { takenMicroUsd } = inserted
        return {
          job,
          replayed: false,
          budgetLeftUsd: takenMicroUsd && within.reservation?.leftUsd(takenMicroUsd),
        }
      }
      case 'full':
        throw new GenerationError(
          'capacity_exceeded',
          'The service has no room for another job now. Try again later.',
        )
      case 'over_limit':
        throw tooManyRunning(within.maxUnfinished ?? 0)
      case 'over_budget':
        throw within.reservation!.refusal(inserted.takenMicroUsd)
      case 'duplicate':
        return replay(inserted.job, job.idempotency)
    }
  }

  /**
   * Whether a job is stored although its insert has failed. A job that can't be found must not run later, because its
   * owner has got the answer that there is no job.
   */
  async function isStored(job: Job): Promise<boolean> {
    const { jobs, clock } = context
    const look = withinLimit(clock, lookLimitMs, 'job store', () => jobs.get(job.id))
    return (await look.catch(() => undefined)) !== undefined
  }

  function replay(job: Job, idempotency: Job['idempotency']): Accepted {
    if (job.deletedAt !== undefined)
      throw new GenerationError(
        'idempotency_key_reused',
        'The job with this idempotency key was deleted. The key can be used again a day after that.',
        { param: 'Idempotency-Key' },
      )
    if (job.idempotency?.fingerprint === idempotency?.fingerprint) return { job, replayed: true }
    throw new GenerationError('idempotency_key_reused', 'This idempotency key was used with another body.', {
      param: 'Idempotency-Key',
    })
  }

  async function acceptOnce(request: JobRequest): Promise<Accepted> {
    await begin(request)
    const { owner, model, metadata, idempotency: unique } = request
    const { input, fields } = context.plugins.separated(request.input)
    const key = JSON.stringify([owner, unique?.scope, unique?.key])
    const beside = fields ? [metadata ?? null, fields] : metadata ? [metadata] : []
    const body = new TextEncoder().encode(JSON.stringify([model, input, ...beside]))
    const idempotency = { key, fingerprint: await sha256Hex(body) }
    const earlier = await context.jobs.findByIdempotencyKey(key, context.clock.now())
    if (earlier) return replay(earlier, idempotency)
    if (keysInProgress.has(key)) {
      const message = 'A request with this idempotency key is in progress. Try again in a moment.'
      throw new GenerationError('idempotency_in_progress', message, { param: 'Idempotency-Key' })
    }
    keysInProgress.add(key)
    try {
      return await accept(request, idempotency)
    } finally {
      keysInProgress.delete(key)
    }
  }

  async function acceptAgain({ shownInput: input, metadata, ...failed }: Job): Promise<Accepted> {
    const { id, owner, keyId } = failed
    const model = requests.modelOf({ model: failed.model })
    const idempotency = { key: JSON.stringify([owner, 'retry', id]), fingerprint: id }
    const earlier = await context.jobs.findByIdempotencyKey(idempotency.key, context.clock.now())
    if (earlier) return replay(earlier, idempotency)
    checkTexts(input)
    const webhook = failed.webhook && { url: failed.webhook.url, events: failed.webhook.events }
    const { reservedUsd } = failed
    const ordered = await context.orderRoutes({ owner, keyId, model: model.id, input, metadata })
    const order = { input, shownInput: input, metadata, webhook, reservedUsd, ordered }
    const accepted = await store(newJob(failed, model, order, idempotency))
    context.running.saw(accepted.job)
    if (!accepted.replayed) ordered?.logFor(accepted.job)
    return accepted
  }

  return {
    acceptAgain,
    accept: (request) => (request?.idempotency ? acceptOnce(request) : accept(request)),
    settled: inserting.settled,
  }
}
