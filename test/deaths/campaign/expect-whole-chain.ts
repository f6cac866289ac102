import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { audit } from '../audit/rules.ts'
import type { KillPoint } from '../service/kill-points.ts'
import { quickWish, type VendorKind } from '../vendor/task-wish.ts'
import { type Campaign, startCampaign } from './campaign.ts'
import { createJobOn } from './client.ts'
import type { Order } from './witness.ts'

/** Vendors of which a server can learn, after its death, whether they have taken a task on. */
const kinds: readonly VendorKind[] = ['find', 'dedupe', 'find']

/** The prompts of the chain, in the order in which its jobs must be made. */
const prompts = kinds.map((_, index) => `step ${index}`)

/**
 * Creates three jobs at once, each of which refers to the output of the one before. The server dies at this point once for
 * each job that reaches it, and another one takes its place. Expects that each job is paid for once, in its order, and that
 * its vendor could read the picture.
 * @returns how often a server has died
 */
export async function expectWholeChain(
  killAt: KillPoint,
  onEnd: (end: () => Promise<void>) => void,
): Promise<number> {
  const campaign = await startCampaign(onEnd, { speed: 20 })
  await makeChain(campaign, killAt)
  await campaign.settled()
  expect(await audit(campaign, campaign.clock.now())).toEqual([])
  expect(campaign.jobs().map(({ phase }) => phase)).toEqual(['completed', 'completed', 'completed'])
  expect(campaign.vendor.ledger.map(({ order }) => order.wish.prompt)).toEqual(prompts)
  expect([...campaign.vendor.picturesRead.values()]).toEqual(['whole', 'whole'])
  return readdirSync(campaign.places.deaths).length
}

async function makeChain(campaign: Campaign, killAt: KillPoint): Promise<void> {
  let server = campaign.start({ killAt })
  let image: string | undefined
  for (const [index, prompt] of prompts.entries()) {
    const wish = { ...quickWish, prompt, image, image_of: prompts[index - 1] }
    const order: Order = { owner: 'alice', model: kinds[index]!, wish, idempotencyKey: prompt }
    for (let id: string | undefined; id === undefined;) {
      if (server.hasEnded) server = campaign.start({ killAt })
      id = (await createJobOn(campaign, server, order))?.id
      image = `job://${id}`
    }
  }
  const isUnfinished = () => campaign.jobs().some(({ dueAt }) => dueAt !== undefined)
  while (isUnfinished()) {
    if (server.hasEnded) server = campaign.start({ killAt })
    await Promise.race([server.ended, delay(200)])
  }
  await campaign.start().address
}
