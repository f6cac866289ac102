import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { audit } from './audit/rules.ts'
import { startCampaign } from './campaign/campaign.ts'
import { makeChain, promptsOfChain } from './campaign/make-chain.ts'

test.concurrent.for(['after the provider has accepted', 'after a copy is stored'] as const)(
  'three jobs, each of which needs the output of the one before, are paid for once and made in their order when the server is killed %s of each',
  async (point, { onTestFinished }) => {
    const campaign = await startCampaign(onTestFinished, { speed: 20 })
    await makeChain(campaign, 'a', point)
    await campaign.settled()
    expect(await audit(campaign, campaign.clock.now())).toEqual([])
    expect(readdirSync(campaign.places.deaths)).toHaveLength(3)
    expect(campaign.jobs().map(({ phase }) => phase)).toEqual(['completed', 'completed', 'completed'])
    expect(campaign.vendor.ledger.map(({ order }) => order.wish.prompt)).toEqual(promptsOfChain('a'))
    expect([...campaign.vendor.picturesRead.values()]).toEqual(['whole', 'whole'])
  },
)
