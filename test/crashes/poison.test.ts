import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { audit } from './audit/auditor.ts'
import { storedJobs } from './audit/stored-jobs.ts'
import { type Campaign, leaseMs, startCampaign } from './campaign/campaign.ts'
import { createJobOn, createKeyedJob } from './campaign/client.ts'
import { quickWish, type TaskWish, silentKinds } from './vendor/task-wish.ts'

/** Resolves when no job has a step left. */
async function settled({ places }: Campaign): Promise<void> {
  while ((await storedJobs(places.database)).some(({ dueAt }) => dueAt !== undefined)) await delay(50)
}

/**
 * Creates six jobs, and one that kills each server that reads the answer about it. Servers are started again
 * when they die.
 */
async function poison(
  campaign: Campaign,
  poison: TaskWish['poison'],
): Promise<{ id: string; deaths: number }> {
  const wish = { ...quickWish, poll_after_ms: 4000 }
  const first = campaign.start()
  const address = await first.address
  for (let index = 0; index < 6; index++) {
    const model = silentKinds[index % silentKinds.length] ?? 'plain'
    const order = { owner: 'bob', model, wish: { ...wish, prompt: `order ${index}` } }
    await createKeyedJob(campaign, address, order)
  }
  const poisonous = { ...wish, prompt: 'poison', poison }
  await createJobOn(campaign, first, { owner: 'alice', model: 'dedupe', wish: poisonous })
  await first.ended

  campaign.setClock(leaseMs, 20)
  let deaths = 1
  const over = settled(campaign)
  // `ended` resolves with an exit status, and `over` with `undefined`.
  while (await Promise.race([campaign.start().ended, over])) deaths++
  const id = (await storedJobs(campaign.places.database)).find(({ owner }) => owner === 'alice')?.id ?? ''
  return { id, deaths }
}

test.concurrent(
  'a job that kills whoever polls it ends as failed, and takes no other down',
  async ({ onTestFinished }) => {
    const campaign = await startCampaign(onTestFinished)
    const { id, deaths } = await poison(campaign, 'poll')
    expect(deaths).toBe(5)
    // The cost was in the answer that no server could read, and the README says so.
    expect(await audit(campaign, campaign.clock.now())).toEqual([])
    expect(campaign.vendor.ledger.filter(({ order }) => order.job_id === id)).toHaveLength(1)
    const jobs = await storedJobs(campaign.places.database)
    expect(jobs.find((job) => job.id === id)).toMatchObject({
      phase: 'failed',
      costUsd: 0,
      error: {
        code: 'service_failed',
        message: expect.stringContaining('The service broke down 5 times in a row'),
      },
    })
    const others = jobs.filter((job) => job.id !== id)
    expect(others.map(({ phase }) => phase)).toEqual(Array(6).fill('completed'))
  },
)

test.concurrent(
  'a job that kills whoever submits it was perhaps paid for, and says so',
  async ({ onTestFinished }) => {
    const campaign = await startCampaign(onTestFinished)
    const { id, deaths } = await poison(campaign, 'submit')
    expect(deaths).toBe(5)
    expect(campaign.vendor.ledger.filter(({ order }) => order.job_id === id)).toHaveLength(1)
    const job = (await storedJobs(campaign.places.database)).find((job) => job.id === id)
    expect(job?.error?.code).toBe('submit_ambiguous')
  },
)
