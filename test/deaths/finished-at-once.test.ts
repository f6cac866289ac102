import { expect, test } from 'vitest'
import { audit } from './audit/rules.ts'
import { leaseMs, startCampaign } from './campaign/campaign.ts'
import { createJobOn, createKeyedJob } from './campaign/client.ts'
import { quickWish } from './vendor/task-wish.ts'

/* A task that is finished in the answer to its submit leaves no handle to poll by. */
test.concurrent.for([
  ['plain', 'before the terminal write'],
  ['find', 'before the terminal write'],
  ['dedupe', 'before the terminal write'],
  ['find', 'before bytes are stored'],
  ['dedupe', 'before bytes are stored'],
] as const)(
  'a service stores the bytes that came with the answer to a submit, also after a kill (vendor: %s, killed %s)',
  async ([model, killAt], { onTestFinished }) => {
    const campaign = await startCampaign(onTestFinished)
    const server = campaign.start({ killAt })
    const wish = { ...quickWish, prompt: 'at once', task_ms: 0, outputs: 2, as: 'bytes' as const }
    const order = { owner: 'alice', model, wish, idempotencyKey: 'at once' }
    await createJobOn(campaign, server, order)
    await server.ended

    campaign.setClock(leaseMs, 20)
    await createKeyedJob(campaign, await campaign.start().address, order)
    expect(await audit(campaign, campaign.clock.now())).toEqual([])
  },
)
