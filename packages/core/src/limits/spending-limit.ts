import type { Job } from '../contracts/job.ts'
import type { Model } from '../contracts/provider.ts'
import type { NewJob, PluginHost, Reservation } from '../contracts/service-plugin.ts'
import { GenerationError, throwUnavailable } from '../errors/generation-error.ts'
import { whose } from '../job/whose.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { expectedUsd, isPriced } from '../pricing/expected-usd.ts'
import { microUsdOf } from '../pricing/micro-usd.ts'
import type { Spending } from './spending.ts'

/** What `limits` reserves for the jobs of each model, in US dollars for a whole job, by the id of the model. */
export type ReservedUsd = Readonly<Record<string, number>>

/** The limit `spendUsdPerDay`. */
export interface SpendingLimit {
  /**
   * What to reserve for the job. @param most the most that the owner may spend in 24 hours, in US dollars
   * @throws GenerationError `insufficient_quota` when the job does not fit by now, or its price is not known
   */
  reservationOf(job: NewJob, most: number): Promise<Reservation>
  /** Tells the operator which models owners with this limit can't use. @param isForAll whether all owners have the limit */
  started(isForAll: boolean): void
  /** Tells the operator, once for each model, when a vendor has charged more than was reserved. */
  ended(job: Job): void
}

/**
 * How long a create waits for a sum from the job store, in milliseconds, so that it fails within 2 seconds when the
 * store hangs. A longer read continues, for the next create.
 */
const readLimitMs = 400

/** Makes the limit of one service. */
export function spendingLimit(
  spending: Spending,
  reserveUsd: ReservedUsd,
  { clock, log, models }: Pick<PluginHost, 'clock' | 'log' | 'models'>,
): SpendingLimit {
  const overcharged = new Set<string>()

  function usdOf({ model, input }: NewJob): number {
    const usd = Object.hasOwn(reserveUsd, model.id) ? reserveUsd[model.id] : expectedUsd(model.price, input)
    if (usd !== undefined) return usd
    const what = isPriced(model.price) ? 'with this input has no price' : 'has no price'
    throw new GenerationError(
      'insufficient_quota',
      `The model ${model.id} ${what} that is known before a job has run, and what your jobs may cost is limited. Use a model with a price.`,
      { param: 'model' },
    )
  }

  return {
    async reservationOf(job, most) {
      const { owner } = job
      const usd = usdOf(job)
      const microUsd = microUsdOf(usd)
      // What is left is shown to the owner of a dry run, so an earlier answer does not do.
      const sought = job.isDryRun ? Number.POSITIVE_INFINITY : microUsd
      const read = async () => {
        const owned = await spending.budgetOf(owner, mostMicroUsdOf(most))
        return { ...owned, taken: await spending.taken(owner, owned.budget, sought) }
      }
      const { budget, settledMicroUsd, taken } = await withinLimit(clock, readLimitMs, 'ledger', read).catch(
        throwUnavailable,
      )
      const refusal = (microUsdTaken: number) =>
        overBudget(usd, most, (settledMicroUsd + microUsdTaken) / 1e6)
      if (taken + microUsd > budget.mostMicroUsd) throw refusal(taken)
      return { usd, budget, remainingUsd: (budget.mostMicroUsd - taken - microUsd) / 1e6, refusal }
    },

    started(isForAll) {
      const isUnknown = ({ id, price }: Model) => !isPriced(price) && !Object.hasOwn(reserveUsd, id)
      const ids = models.filter(isUnknown).map(({ id }) => id)
      if (ids.length === 0) return
      const whom = isForAll ? 'every job' : 'jobs of owners with spendUsdPerDay'
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

/** The limit in millionths of a US dollar. A limit that no sum can reach is the highest one that is exact. */
function mostMicroUsdOf(usd: number): number {
  return Math.min(Math.round(usd * 1e6), Number.MAX_SAFE_INTEGER)
}

function overBudget(usd: number, most: number, taken: number): GenerationError {
  const left = Math.max(0, most - taken)
  const message = `Your jobs may cost ${inWords(most)} US dollars in 24 hours, of which ${inWords(taken)} are spent or reserved for jobs that have not ended. This job may cost ${inWords(usd)}; ${inWords(left)} are left.`
  return new GenerationError('insufficient_quota', message)
}

/** With two digits after the point, or as many as a small amount needs. */
function inWords(usd: number): string {
  const isWholeCents = Math.round(usd * 1e6) % 1e4 === 0
  return isWholeCents ? usd.toFixed(2) : String(Number(usd.toFixed(6)))
}
