import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { audit } from './audit/rules.ts'
import { startCampaign } from './campaign/campaign.ts'
import { dieOverEach } from './campaign/die-over-each.ts'

/** Each owner can pay for all jobs, as long as no death leaves a reservation behind. */
const balancesUsd = { alice: 0.1, bob: 0.05 }

test.concurrent.for([
  // The only job is for a vendor that can say nothing about a submit.
  ['between the insert and the submit', 'after the insert', 'node', 1, 0],
  ['between the submit and the record of its answer', 'after the provider has accepted', 'node', 3, 1],
  ['between the submit and the record of its answer', 'after the provider has accepted', 'deno', 3, 1],
  ['between the submit and the record of its answer', 'after the provider has accepted', 'bun', 3, 1],
] as const)(
  'a server that is killed %s pays for each job once and leaves no reservation behind (%s, %s: %i jobs, %i of them in doubt)',
  async ([, point, runtime, count, inDoubt], { onTestFinished }) => {
    const campaign = await startCampaign(onTestFinished, { balancesUsd })
    await dieOverEach(campaign, point, count, runtime)
    expect(await audit(campaign, campaign.clock.now())).toEqual([])
    expect(readdirSync(campaign.places.deaths)).toHaveLength(count)
    const jobs = campaign.jobs()
    expect(jobs).toHaveLength(count)
    expect(campaign.vendor.ledger).toHaveLength(count)
    // A submit about which nobody can ask is not submitted again.
    expect(jobs.filter(({ error }) => error?.code === 'submit_ambiguous')).toHaveLength(inDoubt)
  },
)
