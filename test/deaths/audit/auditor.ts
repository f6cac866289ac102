import type { Campaign } from '../campaign/campaign.ts'
import { gatherFindings } from './findings.ts'
import { breaches, unavoidableLosses } from './rules.ts'

/**
 * Compares what was acknowledged and paid for with what clients can read, after the service has finished all
 * its work.
 * @param healedAt the instant after which no process was killed, by the clock of the service
 * @returns everything that is wrong, each with the name of the rule that it breaks
 */
export async function audit(campaign: Campaign, healedAt: number): Promise<readonly string[]> {
  return (await inspect(campaign, healedAt)).breaches
}

/**
 * Does the same, and also gives the ids of the jobs that were paid for and not delivered because nobody could
 * know of them.
 */
export async function inspect(
  campaign: Campaign,
  healedAt: number,
): Promise<{ readonly breaches: readonly string[]; readonly unavoidable: readonly string[] }> {
  await campaign.settled()
  const findings = await gatherFindings(campaign, healedAt)
  return { breaches: breaches(findings), unavoidable: unavoidableLosses(findings) }
}
