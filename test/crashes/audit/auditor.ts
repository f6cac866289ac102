import type { Campaign } from '../campaign/campaign.ts'
import { gatherFindings } from './findings.ts'
import { breaches } from './rules.ts'

/**
 * Compares what was acknowledged and paid for with what can be read, once the service has come to rest.
 * @param healedAt from when on nobody was killed, by the service's clock
 * @returns what is wrong, each with the name of the rule that it breaks
 */
export async function audit(campaign: Campaign, healedAt: number): Promise<readonly string[]> {
  await campaign.settled()
  return breaches(await gatherFindings(campaign, healedAt))
}
