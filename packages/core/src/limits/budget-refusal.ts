import { GenerationError } from '../errors/generation-error.ts'
import { microUsdOf } from '../pricing/micro-usd.ts'
import type { OwnBudget } from './own-budgets.ts'

/** What the words of a refusal go by. */
interface RefusalContext {
  /** The time zone of the months. */
  readonly timeZone: string
  /** In milliseconds since the Unix epoch. */
  readonly now: number
}

/**
 * The error for a job that does not fit into its budgets. It names the one with the least left, and when to try again if all
 * that refuse the job begin anew at a known instant.
 * @param leftMicroUsd what is left of each budget without the job, in millionths of a US dollar
 */
export function budgetRefusal(
  usd: number,
  budgets: readonly OwnBudget[],
  leftMicroUsd: readonly number[],
  { timeZone, now }: RefusalContext,
): GenerationError {
  const least = Math.min(...leftMicroUsd)
  const { what, most, span, until } = budgets[leftMicroUsd.indexOf(least)]!
  const left = Math.max(0, least) / 1e6
  const amount =
    most === undefined
      ? 'Your jobs may cost what you were granted, of which all but what is left is'
      : `${what} ${inWords(most)} US dollars${span}, of which ${inWords(most - least / 1e6)} are`
  const anew = until === undefined ? '' : ` A new month begins on ${dayOf(until, timeZone)} (${timeZone}).`
  const message = `${amount} spent or reserved for jobs that have not ended. This job may cost ${inWords(usd)}; ${inWords(left)} are left.${anew}`
  const refusing = budgets.filter((_, at) => leftMicroUsd[at]! < microUsdOf(usd))
  const instants = refusing.map((budget) => budget.until ?? Number.POSITIVE_INFINITY)
  const waitMs = Math.max(...instants) - now
  return new GenerationError('insufficient_quota', message, {
    retryAfterSeconds: Number.isFinite(waitMs) ? Math.max(1, Math.ceil(waitMs / 1000)) : undefined,
  })
}

function dayOf(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  }).format(at)
}

/** With two digits after the point, or as many as a small amount needs. */
function inWords(usd: number): string {
  const isWholeCents = Math.round(usd * 1e6) % 1e4 === 0
  return isWholeCents ? usd.toFixed(2) : String(Number(usd.toFixed(6)))
}
