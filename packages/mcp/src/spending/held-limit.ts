import { type Client, GenmountError } from '@genmount/client'
import { ToolError } from '../tools/tool-error.ts'

/**
 * Makes sure that the service will hold a limit on spending when it gets the create, because a service that knows no such limit
 * would make the job without it. The service itself holds the limit, in the write that stores the job.
 * @param input the body of the create
 * @throws ToolError `spending_limit` when the service can't hold the limit
 */
export async function checkHeldLimit(
  client: Client<object>,
  input: object,
  spendUsdPerDay: number,
): Promise<void> {
  try {
    const { error, budget_remaining_usd: left } = await client.estimate(input as never, { spendUsdPerDay })
    if (error !== null || left !== null) return
  } catch (error) {
    if (!(error instanceof GenmountError) || !isWithoutLimits(error)) throw error
  }
  throw new ToolError(
    'spending_limit',
    'The service can not hold the spending limit of agents, so no job is made. Its operator can add the plugin limits to the service, or leave out maxCostUsd of these tools.',
  )
}

/** Whether the service has no plugin that holds limits, or is of a release without estimates, which refuses their key. */
function isWithoutLimits({ code, param }: GenmountError): boolean {
  return code === 'not_supported' || param === 'Idempotency-Key'
}
