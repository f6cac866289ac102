import type { Estimate } from '@genmount/client'
import type { CallToolResult } from '@modelcontextprotocol/server'

/** The result of a call that only asks what a job would cost. */
export function estimateResult({
  model,
  cost_usd,
  price,
  accepted,
  error,
  ...rest
}: Estimate): CallToolResult {
  const { budget_remaining_usd } = rest
  const cost = cost_usd === null ? 'a sum that is not known beforehand' : `about ${cost_usd} USD`
  const words = [
    `No job was made. It would cost ${cost}${price === null ? '' : ` (${price})`}.`,
    error && `The service would refuse it now: ${error.code}: ${error.message}`,
    budget_remaining_usd !== null && `${budget_remaining_usd} USD of the budget would be left.`,
  ]
  return {
    content: [{ type: 'text', text: words.filter(Boolean).join(' ') }],
    structuredContent: {
      model,
      cost_usd,
      price,
      accepted,
      error: error && { ...error },
      budget_remaining_usd,
    },
  }
}
