import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { audit } from './audit/rules.ts'
import { startCampaign } from './campaign/campaign.ts'
import { createKeyedJob } from './campaign/client.ts'
import {
  areSubmitted,
  createOthers,
  expectAllWell,
  poisonFirst,
  speed,
  supervise,
  wish,
} from './poisoned-servers.ts'

test('a job that crashes each server that polls it fails as service_failed after five crashes, and twenty jobs beside it complete', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { speed, delays: { answer: poisonFirst('poll') } })
  const server = campaign.start()
  const others = await createOthers(campaign, server, 100)
  const poisonous = { ...wish, prompt: 'poison', poison: 'poll' } as const
  const order = { owner: 'alice', model: 'dedupe', wish: poisonous } as const
  const { id } = await createKeyedJob(campaign, await server.address, order)
  await until(areSubmitted(campaign))

  expect(await supervise(campaign, server, 1)).toBe(5)
  expect(campaign.job(id)).toMatchObject({
    phase: 'failed',
    costUsd: 0,
    error: { code: 'service_failed', message: 'The service broke down 5 times in a row during this job.' },
  })
  expectAllWell(campaign, others)
  expect(campaign.vendor.ledger).toHaveLength(21)
  // The cost was in the answer that no server could read, and the README says so.
  await campaign.start().address
  const breaches = await audit(campaign, campaign.clock.now())
  expect(breaches.map((breach) => breach.split(':')[0])).toEqual(Array(5).fill('crashed'))
})
