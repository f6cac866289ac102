import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { audit } from './audit/rules.ts'
import { startCampaign } from './campaign/campaign.ts'
import { makeChain, promptsOfChain } from './campaign/make-chain.ts'
import { killPoints } from './service/kill-points.ts'

test.concurrent.for(killPoints.filter((point) => point !== 'before bytes are stored'))(
  'three jobs, each of which needs the output of the one before, are paid for once and made in their order when the server is killed %s',
  { timeout: 300_000 },
  async (point, { onTestFinished }) => {
    const campaign = await startCampaign(onTestFinished, { speed: 20 })
    await makeChain(campaign, 'a', point)
    await campaign.settled()
    expect(await audit(campaign, campaign.clock.now())).toEqual([])
    expect(readdirSync(campaign.places.deaths).length).toBeGreaterThan(0)
    expect(campaign.jobs().map(({ phase }) => phase)).toEqual(['completed', 'completed', 'completed'])
    expect(campaign.vendor.ledger.map(({ order }) => order.wish.prompt)).toEqual(promptsOfChain('a'))
    expect([...campaign.vendor.picturesRead.values()]).toEqual(['whole', 'whole'])
  },
)
