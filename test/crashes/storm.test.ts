import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { audit } from './audit/auditor.ts'
import { storedJobs } from './audit/stored-jobs.ts'
import { type Campaign, recoveryMs, startCampaign } from './campaign/campaign.ts'
import { createJob, readJob } from './campaign/client.ts'
import { randomOf } from './campaign/random-of.ts'
import type { StartedServer } from './campaign/started-server.ts'
import type { JobObject, Order } from './campaign/witness.ts'
import { vendorKinds } from './vendor/task-wish.ts'

/** How long it lasts, and what it leaves to chance: `STORM_SECONDS=60 STORM_SEED=7` is a longer one, and the same each time. */
const stormMs = Number(process.env['STORM_SECONDS'] ?? 20) * 1000
const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000)
const jobCount = 200
const serverCount = 3
const killEveryMs = 1000
const clockSpeed = 10

interface PlannedClient {
  readonly startsAfterMs: number
  readonly order: Order
  readonly waits: boolean
  /** Which server it asks at first. */
  readonly server: number
}

/** Everything that is left to chance in this process. What the machine makes of it is not. */
function planStorm(): { readonly clients: readonly PlannedClient[]; readonly victims: readonly number[] } {
  const random = randomOf(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const clients = Array.from({ length: jobCount }, (_, index) => ({
    startsAfterMs: (stormMs * index) / jobCount,
    order: {
      owner: index % 2 === 0 ? 'alice' : 'bob',
      model: vendorKinds[below(vendorKinds.length)] ?? 'plain',
      wish: {
        prompt: `order ${index}`,
        task_ms: below(500),
        answer_ms: random() < 0.5 ? below(400) : 0,
        outputs: 1 + below(2),
        as: random() < 0.7 ? ('url' as const) : ('bytes' as const),
        fails: random() < 0.1,
        poll_after_ms: 1000 + below(4000),
      },
      idempotencyKey: random() < 0.5 ? `key ${index}` : undefined,
    },
    waits: random() < 0.5,
    server: below(serverCount),
  }))
  const victims = Array.from({ length: Math.floor(stormMs / killEveryMs) - 1 }, () => below(serverCount))
  return { clients, victims }
}

/** Asks one server after the other for the job until one has acknowledged it, and then for its end. */
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
    // Without a key nobody knows whether the job is there, and to ask again is to ask for another one.
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

test(
  `three processes on one file, of which one is killed each second: no job of ${jobCount} is lost, none is paid for twice`,
  { timeout: stormMs * 2 + 120_000 },
  async ({ onTestFinished }) => {
    console.log(`STORM_SEED=${seed} STORM_SECONDS=${stormMs / 1000}`)
    const { clients, victims } = planStorm()
    const campaign = await startCampaign(onTestFinished, clockSpeed)
    const servers = Array.from({ length: serverCount }, () => campaign.start())
    await campaign.addresses()

    const answered = Promise.all(clients.map((client) => runClient(campaign, servers, client)))
    // A client may break off before it is waited for.
    answered.catch(() => {})
    for (const victim of victims) {
      await delay(killEveryMs)
      await servers[victim]?.kill()
      servers[victim] = campaign.start()
    }
    await delay(killEveryMs)
    await campaign.addresses()
    const healedAt = campaign.clock.now()
    await answered

    expect(await audit(campaign, healedAt)).toEqual([])
    expect(campaign.witness.acknowledged.size).toBe(jobCount)
    const jobs = storedJobs(campaign.places.database)
    const ambiguous = jobs.filter(({ error }) => error?.code === 'submit_ambiguous').length
    console.log(
      `${victims.length} kills, ${jobs.length} jobs, ${ambiguous} submits that nobody can ask about`,
    )
  },
)
