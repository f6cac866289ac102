import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Model } from '../contracts/provider.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { NewJob, NextSubmit, Reservation } from '../contracts/plugin/service-plugin.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { fitsInto } from '../ledger/budget-room.ts'
import { whose } from '../job/whose.ts'
import { isPriced, priceOf } from '../pricing/expected-usd.ts'
import { microUsdOf } from '../pricing/micro-usd.ts'
import { budgetRefusal } from './budget-refusal.ts'
import type { LimitsOf } from './limits-of.ts'
import { isSpendingLimited, ownBudgets } from './own-budgets.ts'
import type { OwnerLimits } from './owner-limits.ts'
import { readInTime } from './read-in-time.ts'
import type { OpenBudget, Spending } from './spending.ts'

/** What `limits` reserves for the jobs of each model, in US dollars for a whole job, by the id of the model. */
export type ReservedUsd = Readonly<Record<string, number>>

/** What a job that is not stored finds in its budgets. Nothing is reserved. */
export interface JobRoom {
  /** What the job would reserve. */
  readonly reservation: Reservation
  /** What is taken of each budget, as in `OverBudget`. It may be 2 seconds old if the job fits. */
  readonly takenMicroUsd: readonly number[]
  /** Whether the job fits by now. */
  readonly isLeft: boolean
}

/** The limits of an owner on what jobs may cost. */
export interface SpendingLimit {
  /**
   * What the job finds in its budgets. @returns `undefined` when these limits are not about what jobs cost
   * @throws GenerationError `insufficient_quota` when the price of the job is not known
   */
  roomFor(job: NewJob, limits: OwnerLimits): JobRoom | Promise<JobRoom> | undefined
  /** What a job must reserve besides, before a submit: see `PluginHooks.reserve` */
  reserve(submit: NextSubmit): Promise<Reservation | undefined>
  /** Tells the operator which models owners with this limit can't use. @param isForAll whether all owners have the limit */
  started(isForAll: boolean): void
  /** Tells the operator, once for each model, when a vendor has charged more than was reserved. */
  ended(job: Job): void
}

/** What {@link spendingLimit} works with. */
export interface SpendingContext extends Pick<PluginHost, 'clock' | 'log' | 'models'> {
  readonly spending: Spending
  readonly limitsFor: LimitsOf
  readonly reserveUsd: ReservedUsd
  readonly timeZone: string
}

/** Whose budgets a job must fit into. */
type Spender = Pick<NewJob, 'keyId' | 'owner'>

/** Makes the limits of one service on what jobs may cost. */
export function spendingLimit(context: SpendingContext): SpendingLimit {
  const { spending, limitsFor, reserveUsd, timeZone, clock, log, models } = context
  const overcharged = new Set<string>()
  const budgetsOf = ownBudgets(timeZone, clock)

  /** @param id the id by which clients ask for the model */
  function usdOf(id: string, model: Model | undefined, input: JsonObject): number | Promise<number> {
    const usd = Object.hasOwn(reserveUsd, id) ? reserveUsd[id] : priceOf(model, input)
    return usd instanceof Promise ? usd.then((price) => knownUsd(price, id, model)) : knownUsd(usd, id, model)
  }

  /** @param who the owner and the key of the job */
  function reservationOf(
    usd: number,
    { owner, keyId }: Spender,
    limits: OwnerLimits,
  ): Reservation | Promise<Reservation> {
    const own = budgetsOf(limits, keyId)
    const made = (open: readonly OpenBudget[]): Reservation => {
      const budgets = open.map(({ budget }) => budget)
      const left = (taken: readonly number[]) =>
        budgets.map(({ mostMicroUsd }, at) => mostMicroUsd - taken[at]!)
      return {
        usd,
        budgets,
        refusal: (taken) => budgetRefusal(usd, own, left(taken), { timeZone, now: clock.now() }),
        leftUsd: (taken) => Math.max(0, Math.min(...left(taken)) - microUsdOf(usd)) / 1e6,
      }
    }
    const open = spending.openBudgets(owner, keyId, own)
    return open instanceof Promise ? open.then(made) : made(open)
  }

  function roomWith(usd: number, { owner, keyId, isDryRun }: NewJob, reservation: Reservation) {
    const { budgets } = reservation
    const microUsd = microUsdOf(usd)
    const made = (takenMicroUsd: readonly number[]): JobRoom => ({
      reservation,
      takenMicroUsd,
      isLeft: fitsInto(budgets, takenMicroUsd, microUsd),
    })
    // What is left is shown to the owner of a dry run, so an earlier answer does not do.
    const taken = spending.taken(owner, keyId, budgets, isDryRun ? Number.POSITIVE_INFINITY : microUsd)
    return taken instanceof Promise ? taken.then(made) : made(taken)
  }

  function roomOf(usd: number, job: NewJob, limits: OwnerLimits): JobRoom | Promise<JobRoom> {
    const reservation = reservationOf(usd, job, limits)
    const room =
      reservation instanceof Promise
        ? reservation.then((made) => roomWith(usd, job, made))
        : roomWith(usd, job, reservation)
    if (!(room instanceof Promise)) return room
    return readInTime(clock, 'ledger', () => room)
  }

  return {
    roomFor(job, limits) {
      if (!isSpendingLimited(limits, job.keyId)) return undefined
      const usd = usdOf(job.model.id, job.model, job.input)
      return usd instanceof Promise
        ? usd.then((price) => roomOf(price, job, limits))
        : roomOf(usd, job, limits)
    },

    async reserve({ job, provider, task, isRepeated }) {
      const { owner, keyId, reservedUsd = 0 } = job
      const limits = await limitsFor(owner, keyId)
      if (!isSpendingLimited(limits, keyId)) return undefined
      const model = provider.models.find(({ id }) => id === task.model)
      const price = await usdOf(job.model, model, task.input)
      const usd = isRepeated ? reservedUsd + price : price
      return microUsdOf(usd) > microUsdOf(reservedUsd) ? reservationOf(usd, job, limits) : undefined
    },

    started(isForAll) {
      const isUnknown = (model: Model) => !isPriced(model) && !Object.hasOwn(reserveUsd, model.id)
      const ids = models.filter(isUnknown).map(({ id }) => id)
      if (ids.length === 0) return
      const whom = isForAll ? 'every job' : 'jobs of owners with a limit on spending'
      log.warn(
        `limits: these models have no price that is known beforehand, so ${whom} of them is refused: ${ids.join(', ')}. Give them a price, or say in reserveUsd what one job may cost.`,
      )
    },

    ended(job) {
      const { model, reservedUsd, costUsd, isCostKnown } = job
      if (reservedUsd === undefined || !isCostKnown || microUsdOf(costUsd) <= microUsdOf(reservedUsd)) return
      if (overcharged.has(model)) return
      overcharged.add(model)
      log.warn(
        `limits: ${whose(job)} has cost ${costUsd} US dollars, and ${reservedUsd} were reserved for it. Limits count what it has cost. Correct the price of the model ${model}; further jobs of it are not reported.`,
        { job: job.id, model, costUsd },
      )
    },
  }
}

/** @throws GenerationError when the price is not known */
function knownUsd(usd: number | undefined, id: string, model: Model | undefined): number {
  if (usd !== undefined) return usd
  const what = isPriced(model) ? 'with this input has no price' : 'has no price'
  throw new GenerationError(
    'insufficient_quota',
    `The model ${id} ${what} that is known before a job has run, and what your jobs may cost is limited. Use a model with a price.`,
    { param: 'model' },
  )
}
