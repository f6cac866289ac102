import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { audit } from './audit/rules.ts'
import { startCampaign } from './campaign/campaign.ts'
import { dieOverEach } from './campaign/die-over-each.ts'
import { silentKinds } from './vendor/task-wish.ts'

test.concurrent.for([
  // A job is stored with the claim for its submit.
  ['between the intent to submit and the submit', 'after the insert', 'node', 2],
  ['between the submit and the record of its answer', 'after the provider has accepted', 'node', 3],
  ['between the submit and the record of its answer', 'after the provider has accepted', 'deno', 3],
  ['between the submit and the record of its answer', 'after the provider has accepted', 'bun', 3],
] as const)(
  'a server that is killed %s loses no job and pays for none twice, for each kind of vendor (%s, %s)',
  async ([, point, runtime, paid], { onTestFinished }) => {
    const campaign = await startCampaign(onTestFinished)
    const count = silentKinds.length
    await dieOverEach(campaign, point, count, runtime)
    expect(await audit(campaign, campaign.clock.now())).toEqual([])
    expect(readdirSync(campaign.places.deaths)).toHaveLength(count)
    const jobs = campaign.jobs()
    expect(jobs).toHaveLength(count)
    expect(campaign.vendor.ledger).toHaveLength(paid)
    // A submit about which nobody can ask is not submitted again.
    expect(jobs.filter(({ error }) => error?.code === 'submit_ambiguous')).toHaveLength(1)
  },
)
