import { type Estimate, GenmountError } from '@genmount/client'
import type { Printer } from '../terminal/printer.ts'

/**
 * Writes what a job would cost.
 * @throws GenmountError with the error that the create would get
 */
export function writeEstimate(stdout: Printer, estimate: Estimate, isJson: boolean): void {
  const { cost_usd: cost, price, error, budget_remaining_usd: left } = estimate
  if (isJson) stdout.json(estimate, 2)
  else {
    stdout.line(`cost:     ${cost === null ? 'not known beforehand' : `$${cost}`}`)
    if (price !== null) stdout.line(`price:    ${price}`)
    if (left !== null) stdout.line(`left:     $${left} of the budget, after this job`)
  }
  // The server has answered; the status is that of a refusal, so that the program ends as after one.
  if (error) throw new GenmountError(error.code, error.message, { status: 400, requestId: error.request_id })
}
