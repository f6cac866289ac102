import { setTimeout as delay } from 'node:timers/promises'
import type { KillPoint } from '../service/kill-points.ts'
import { quickWish, type VendorKind } from '../vendor/task-wish.ts'
import type { Campaign } from './campaign.ts'
import { createJobOn } from './client.ts'
import type { Order } from './witness.ts'

/** Vendors of which a server can learn, after its death, whether they have taken a task on. */
const kinds: readonly VendorKind[] = ['find', 'dedupe', 'find']

/** The prompts of a chain, in the order in which its jobs must be made. */
export function promptsOfChain(name: string): readonly string[] {
  return kinds.map((_, index) => `chain ${name} step ${index}`)
}

/**
 * Creates three jobs at once, each of which refers to the output of the one before. The server dies at this point once for
 * each of them, and another one takes its place.
 */
export async function makeChain(campaign: Campaign, name: string, killAt?: KillPoint): Promise<void> {
  const prompts = promptsOfChain(name)
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
