import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Exit } from '../processes/launch.ts'
import { until } from '../until.ts'
import { type Campaign, leaseMs, type StartOptions } from './campaign/campaign.ts'
import { createKeyedJob } from './campaign/client.ts'
import type { StartedServer } from './campaign/started-server.ts'
import type { VendorCall } from './vendor/paid-vendor.ts'
import { quickWish, silentKinds } from './vendor/task-wish.ts'

export const speed = 5
/** All jobs are submitted before the first poll, so that no submit is cut short. */
export const wish = { ...quickWish, poll_after_ms: 5000 * speed }

/** The vendor answers calls about the poison first, so that the others are under way when the server dies. */
export const poisonFirst = (kind: VendorCall['kind']) => (call: VendorCall) =>
  call.kind === kind ? delay(call.prompt === 'poison' ? 50 : 100) : undefined

/** Creates twenty jobs, for each kind of vendor in turn. @returns their ids */
export async function createOthers(
  campaign: Campaign,
  server: StartedServer,
  taskMs: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < 20; index++) {
    const model = silentKinds[index % silentKinds.length] ?? 'plain'
    const order = {
      owner: 'bob',
      model,
      wish: { ...wish, prompt: `order ${index}`, task_ms: taskMs * index },
    }
    ids.push((await createKeyedJob(campaign, await server.address, order)).id)
  }
  return ids
}

export const areSubmitted = (campaign: Campaign) => () =>
  campaign.jobs().every(({ phase }) => phase !== 'accepted' && phase !== 'submitting')

/**
 * Starts a new server whenever the last one has died, and moves the clock forward, so that the leases of the dead are over.
 * @returns how often a server died until all jobs were settled
 */
export async function supervise(
  campaign: Campaign,
  first: StartedServer,
  end: Exit,
  options: StartOptions = {},
): Promise<number> {
  let server = first
  let deaths = 0
  let isOver = false
  const supervising = (async () => {
    for (;;) {
      const exit = await server.ended
      if (isOver) return
      expect(exit).toBe(end)
      deaths++
      campaign.setClock(leaseMs)
      server = campaign.start(options)
    }
  })()
  // Not `settled`, whose patience is measured by the clock that each death moves forward.
  const isSettled = () => campaign.jobs().every(({ dueAt }) => dueAt === undefined)
  await Promise.race([until(isSettled, 150_000), supervising])
  isOver = true
  await server.kill()
  return deaths
}

/** Expects that the jobs are completed and that each was paid for once. */
export function expectAllWell(campaign: Campaign, ids: readonly string[]): void {
  for (const id of ids) {
    expect(campaign.job(id)).toMatchObject({ phase: 'completed', outputs: [{ fileKey: expect.anything() }] })
    expect(campaign.vendor.ledger.filter(({ order }) => order.job_id === id)).toHaveLength(1)
  }
}
