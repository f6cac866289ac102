import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inspect } from './audit/auditor.ts'
import { storedJobs } from './audit/stored-jobs.ts'
import { type Campaign, recoveryMs, startCampaign } from './campaign/campaign.ts'
import { createJob, readJob } from './campaign/client.ts'
import type { StartedServer } from './campaign/started-server.ts'
import { type Blow, type PlannedBlow, type PlannedClient, planStorm } from './campaign/storm-plan.ts'
import type { JobObject } from './campaign/witness.ts'

/**
 * The length of the storm. `STORM_SECONDS=60 STORM_SEED=7` makes it last 60 s, with the same plan each time.
 */
const stormMs = Number(process.env['STORM_SECONDS'] ?? 16) * 1000
const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000)
const jobCount = 10 * (stormMs / 1000)
const serverCount = 3
const blowEveryMs = 1000
const clockSpeed = 10

/**
 * Two durations in milliseconds of the system, ten times as long for the service: longer than a lease of 30
 * s, and short.
 */
const [longMs, shortMs] = [3600, 300]
const kill: Blow = { what: 'kill' }
const outage = (store: 'jobs' | 'files', seconds: number, afterNextAnswer: boolean): Blow => ({
  what: 'outage',
  store,
  forMs: (seconds * 1000) / clockSpeed,
  afterNextAnswer,
})
const storms: Readonly<Record<string, readonly Blow[]>> = {
  'one is killed each second': [kill],
  'one is killed, frozen beyond its lease, cut off from a store or closed each second': [
    kill,
    kill,
    kill,
    kill,
    { what: 'close' },
    { what: 'freeze', forMs: longMs },
    { what: 'freeze', forMs: longMs },
    { what: 'freeze', forMs: longMs },
    { what: 'freeze', forMs: shortMs },
    outage('jobs', 15, false),
    outage('jobs', 15, true),
    outage('jobs', 15, true),
    outage('files', 10, false),
    outage('files', 10, true),
  ],
}

/**
 * Asks one server after the other to create the job until one has acknowledged it, and then until the job has
 * finished.
 */
async function runClient(campaign: Campaign, servers: StartedServer[], client: PlannedClient): Promise<void> {
  await delay(client.startsAfterMs)
  let { order, server } = client
  let job: JobObject | undefined
  const ask = async (talk: (address: string) => Promise<JobObject | undefined>) => {
    const address = await servers[server++ % serverCount]?.address.catch(() => undefined)
    return address === undefined ? undefined : talk(address)
  }

  for (let retry = 1; !job; retry++) {
    job = await ask((address) => createJob(campaign, address, order, { wait: client.waits }))
    if (job) break
    // Without an idempotency key the client can not know whether there is a job, and a second create would
    // make another job.
    if (!order.idempotencyKey)
      order = { ...order, wish: { ...order.wish, prompt: `${client.order.wish.prompt}, again ${retry}` } }
    await delay(100)
  }
  const { id } = job
  const givesUpAt = Date.now() + stormMs + (4 * recoveryMs) / clockSpeed
  while (job?.status !== 'completed' && job?.status !== 'failed' && Date.now() < givesUpAt) {
    await delay(500)
    job = await ask((address) => readJob(campaign, address, id, order.owner))
  }
}

/**
 * Does a blow to one server. Resolves when it is over. If the server has ended, another one is started in its
 * place.
 */
async function strike(
  campaign: Campaign,
  servers: StartedServer[],
  { blow, victim }: PlannedBlow,
): Promise<void> {
  const places = servers.map((_, index) => (victim + index) % serverCount)
  const place = places.find((index) => !servers[index]?.isFrozen) ?? victim
  const server = servers[place]
  if (!server) return
  switch (blow.what) {
    case 'kill':
      await server.kill()
      servers[place] = campaign.start()
      return
    case 'close':
      // A new server takes its place at once, as in a deployment.
      servers[place] = campaign.start()
      await server.close()
      return
    case 'freeze':
      await server.freeze()
      await delay(blow.forMs)
      return server.thaw()
    case 'outage': {
      const { store, forMs, afterNextAnswer } = blow
      server.tell({ store, forMs: forMs * clockSpeed, afterNextAnswer })
      await delay(forMs)
    }
  }
}

test.for(Object.entries(storms))(
  'three processes on one file, of which %s: no job is lost, none is paid for twice, and none that was paid for is dropped where anybody could have known',
  { timeout: stormMs * 2 + 120_000 },
  async ([, blows], { onTestFinished }) => {
    console.log(`STORM_SEED=${seed} STORM_SECONDS=${stormMs / 1000}`)
    const blowCount = Math.floor(stormMs / blowEveryMs) - 1
    const plan = planStorm({ seed, lastsMs: stormMs, jobCount, serverCount, blowCount, blows })
    const campaign = await startCampaign(onTestFinished, clockSpeed)
    const servers = Array.from({ length: serverCount }, () => campaign.start())
    await campaign.addresses()

    const answered = Promise.all(plan.clients.map((client) => runClient(campaign, servers, client)))
    // A client may fail before its promise is awaited.
    answered.catch(() => {})
    const struck: Promise<void>[] = []
    for (const planned of plan.blows) {
      await delay(blowEveryMs)
      const strikes = strike(campaign, servers, planned)
      struck.push(strikes)
      // The next kill waits until the blows before it are over.
      if (planned.blow.what === 'kill') await strikes
    }
    await Promise.all(struck)
    for (const server of servers) server.tell({ store: 'jobs', forMs: 0 })
    await delay(blowEveryMs)
    await campaign.addresses()
    const healedAt = campaign.clock.now()
    await answered

    const { breaches, unavoidable } = await inspect(campaign, healedAt)
    const jobs = storedJobs(campaign.places.database)
    console.log(
      `${plan.blows.length} blows, ${jobs.length} jobs, ${campaign.vendor.ledger.length} paid, ` +
        `${campaign.vendor.calledBack.size} called back, ${unavoidable.length} of which nobody could know`,
    )
    expect(breaches).toEqual([])
    expect(campaign.witness.acknowledged.size).toBe(jobCount)
  },
)
