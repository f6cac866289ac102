import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { audit } from './audit/rules.ts'
import { leaseMs, startCampaign } from './campaign/campaign.ts'
import { createKeyedJob } from './campaign/client.ts'
import { quickWish } from './vendor/task-wish.ts'

const jobCount = 10

test('ten jobs whose slow submits were cut off by two kills are all recovered at the same time', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished)
  // At the final speed of the clock, the answer takes 40 seconds of the service. No submit may be answered before the first kill,
  // or there would be fewer than ten to repeat.
  const wish = { ...quickWish, answer_ms: 2000 }
  const first = campaign.start()
  const address = await first.address
  const create = (index: number) => {
    const order = { owner: 'alice', model: 'dedupe', wish: { ...wish, prompt: `order ${index}` } } as const
    return createKeyedJob(campaign, address, order)
  }
  await Promise.all(Array.from({ length: jobCount }, (_, index) => create(index)))
  while (campaign.vendor.ledger.length < jobCount) await delay(10)
  await first.kill()

  campaign.setClock(leaseMs, 1)
  const second = campaign.start()
  await second.address
  while (campaign.vendor.submits < 2 * jobCount) await delay(10)
  await second.kill()

  campaign.setClock(leaseMs, 20)
  await campaign.start().address
  expect(await audit(campaign, campaign.clock.now())).toEqual([])
})
