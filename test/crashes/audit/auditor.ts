import type { Campaign } from '../campaign/campaign.ts'
import { gatherFindings } from './findings.ts'
import { breaches, unavoidableLosses } from './rules.ts'

/**
 * Compares what was acknowledged and paid for with what can be read, once the service has come to rest.
 * @param healedAt from when on nobody was killed, by the service's clock
 * @returns what is wrong, each with the name of the rule that it breaks
 */
export async function audit(campaign: Campaign, healedAt: number): Promise<readonly string[]> {
  return (await inspect(campaign, healedAt)).breaches
}

/** The same, and ids of the jobs that were paid for and not delivered, of which nobody could have known. */
export async function inspect(
  campaign: Campaign,
  healedAt: number,
): Promise<{ readonly breaches: readonly string[]; readonly unavoidable: readonly string[] }> {
  await campaign.settled()
  const findings = await gatherFindings(campaign, healedAt)
  return { breaches: breaches(findings), unavoidable: unavoidableLosses(findings) }
}
