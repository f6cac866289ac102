import type { OwnedExchange } from '@genmount/v1-interface'
import type { Call } from './create-call.ts'

/** The headers of an answer about new jobs, as `/v1` has them: where the first job is, and what is left of the budgets. */
export function callHeaders(
  { baseUrl }: OwnedExchange,
  { jobs, replayed, budgetLeftUsd }: Call,
): Record<string, string> {
  return {
    location: `${baseUrl}/v1/jobs/${jobs[0]!.id}`,
    ...(replayed && { 'idempotency-replayed': 'true' }),
    ...(budgetLeftUsd !== undefined && { 'x-budget-remaining-usd': String(budgetLeftUsd) }),
  }
}
