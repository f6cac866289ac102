import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Exit } from '../processes/launch.ts'
import { until } from '../until.ts'
import { audit } from './audit/rules.ts'
import { type Campaign, leaseMs, startCampaign, type StartOptions } from './campaign/campaign.ts'
import { createJobOn, createKeyedJob, get } from './campaign/client.ts'
import type { StartedServer } from './campaign/started-server.ts'
import { serviceOrigin } from './service/server-settings.ts'
import type { VendorCall } from './vendor/paid-vendor.ts'
import { quickWish, silentKinds } from './vendor/task-wish.ts'
import { vendorOrigin } from './vendor/vendor-file.ts'

const speed = 5
/** All jobs are submitted before the first poll, so that no submit is cut short. */
const wish = { ...quickWish, poll_after_ms: 5000 * speed }

/** The vendor answers calls about the poison first, so that the others are under way when the server dies. */
const poisonFirst = (kind: VendorCall['kind']) => (call: VendorCall) =>
  call.kind === kind ? delay(call.prompt === 'poison' ? 50 : 100) : undefined

/** Creates twenty jobs, for each kind of vendor in turn. @returns their ids */
async function createOthers(campaign: Campaign, server: StartedServer, taskMs: number): Promise<string[]> {
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

const areSubmitted = (campaign: Campaign) => () =>
  campaign.jobs().every(({ phase }) => phase !== 'accepted' && phase !== 'submitting')

/**
 * Starts a new server whenever the last one has died, and moves the clock forward, so that the leases of the dead are over.
 * @returns how often a server died until all jobs were settled
 */
async function supervise(
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
function expectAllWell(campaign: Campaign, ids: readonly string[]): void {
  for (const id of ids) {
    expect(campaign.job(id)).toMatchObject({ phase: 'completed', outputs: [{ fileKey: expect.anything() }] })
    expect(campaign.vendor.ledger.filter(({ order }) => order.job_id === id)).toHaveLength(1)
  }
}

test.concurrent('a job that crashes each server that polls it fails as service_failed after five crashes, and twenty jobs beside it complete', async ({
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

test.concurrent('a job that kills each server that submits it fails as submit_ambiguous after five kills, and is paid for once', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { speed })
  const server = campaign.start()
  const others = await createOthers(campaign, server, 0)
  const poisonous = { ...wish, prompt: 'poison', poison: 'submit' } as const
  await createJobOn(campaign, server, { owner: 'alice', model: 'dedupe', wish: poisonous })

  expect(await supervise(campaign, server, 'SIGKILL')).toBe(5)
  const job = campaign.jobs().find(({ owner }) => owner === 'alice')
  expect(job?.error?.code).toBe('submit_ambiguous')
  expect(campaign.vendor.ledger.filter(({ order }) => order.job_id === job?.id)).toHaveLength(1)
  expectAllWell(campaign, others)
})

test.concurrent('an output that crashes each server that copies it stays at the provider after five crashes, and all other outputs are copied', async ({
  onTestFinished,
}) => {
  const campaign = await startCampaign(onTestFinished, { speed, delays: { answer: poisonFirst('file') } })
  const options = { trouble: 'crashes over third outputs' } as const
  const server = campaign.start(options)
  const others = await createOthers(campaign, server, 5)
  const poisonous = { ...wish, prompt: 'poison', outputs: 3 }
  const order = { owner: 'alice', model: 'plain', wish: poisonous } as const
  const { id } = await createKeyedJob(campaign, await server.address, order)
  await until(areSubmitted(campaign))

  expect(await supervise(campaign, server, 1, options)).toBe(5)
  expectAllWell(campaign, others)
  const { outputs, ...job } = campaign.job(id) ?? { outputs: [] }
  expect(job).toMatchObject({ phase: 'completed', costUsd: campaign.vendor.ledger[20]?.costUsd })
  expect(outputs.map(({ url }) => url)).toEqual([0, 1, 2].map((n) => `${vendorOrigin}/files/task-21/${n}`))

  const healed = campaign.start()
  const { data, status } = JSON.parse((await get(campaign, healed, `/v1/jobs/${id}`)).text)
  expect(status).toBe('completed')
  const redirect = await get(campaign, healed, String(data[2].url).replace(serviceOrigin, ''))
  expect(redirect.headers.get('location')).toBe(`${vendorOrigin}/files/task-21/2`)
  expect(campaign.vendor.ledger).toHaveLength(21)
})
