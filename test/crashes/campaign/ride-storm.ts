import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from '../audit/auditor.ts'
import { countedUploads } from '../audit/counted-uploads.ts'
import { type Campaign, recoveryMs, startCampaign } from './campaign.ts'
import { cancelJob, createJob, deleteJob, readJob, uploadPicture } from './client.ts'
import { endConnections } from './end-connections.ts'
import { expiredUploads } from './expired-uploads.ts'
import type { Places } from '../service/server-settings.ts'
import type { VendorKind } from '../vendor/task-wish.ts'
import type { Release, StartedServer } from './started-server.ts'
import { type Blow, type PlannedBlow, type PlannedClient, planStorm } from './storm-plan.ts'
import type { JobObject } from './witness.ts'

const serverCount = 3
const blowEveryMs = 1000

/** A storm over three processes that share their jobs. */
export interface Storm {
  /** How long it lasts, in milliseconds of the system. */
  readonly lastsMs: number
  /** How many jobs are created meanwhile. */
  readonly jobCount: number
  /** The same number gives the same clients and blows. */
  readonly seed: number
  /** What may happen to a process each second. */
  readonly blows: readonly Blow[]
  /** How many seconds the clock of the service runs in one second of the system. */
  readonly clockSpeed: number
  /** The models of the jobs. @default those of all vendors */
  readonly models?: readonly VendorKind[]
  /** The servers that keep and wake the jobs. @default a SQLite file */
  readonly shared?: Partial<Pick<Places, 'database' | 'redis'>> | undefined
  /** The code of a server by how many were started before it. @default the newest for all */
  readonly releaseOf?: (startedBefore: number) => Release
}

/** What is left after a storm. */
export interface Survey {
  /** What is wrong. */
  readonly breaches: readonly string[]
  /** How many jobs clients have been told of. */
  readonly acknowledged: number
  readonly campaign: Campaign
}

/**
 * Lets a storm pass over a service and its clients.
 * @param onEnd registers a function that ends the servers and deletes their files
 */
export async function rideStorm(
  { lastsMs, jobCount, seed, blows, clockSpeed, models, shared, releaseOf }: Storm,
  onEnd: (end: () => Promise<void>) => void,
): Promise<Survey> {
  console.log(`STORM_SEED=${seed} STORM_SECONDS=${lastsMs / 1000}`)
  const blowCount = Math.floor(lastsMs / blowEveryMs) - 1
  // Older releases take uploads without counting them.
  const countsUploads = releaseOf === undefined
  const plan = planStorm({ seed, lastsMs, jobCount, serverCount, blowCount, blows, models })
  const campaign = await startCampaign(onEnd, clockSpeed, shared, countsUploads)
  const { database } = campaign.places
  const start = () => campaign.start({ release: releaseOf?.(campaign.servers.length) })
  const servers = Array.from({ length: serverCount }, start)
  await campaign.addresses()

  let uploaded = 0
  const onUpload = () => void uploaded++
  // On a busy machine a storm lasts longer than planned. No client gives up before it is over.
  let clientsGiveUpAt = Infinity
  const givesUp = () => Date.now() >= clientsGiveUpAt
  const answered = Promise.all(
    plan.clients.map((client) => runClient(campaign, servers, client, { givesUp, onUpload })),
  )
  // A client may fail before its promise is awaited.
  answered.catch(() => {})
  const struck: Promise<void>[] = []
  for (const planned of plan.blows) {
    await delay(blowEveryMs)
    const strikes = strike({ start, clockSpeed, database }, servers, planned)
    struck.push(strikes)
    // The next kill waits until the blows before it are over.
    if (planned.blow.what === 'kill') await strikes
    // A deployment waits for its new servers. On a slow machine they would otherwise meet no older server.
    if (releaseOf) await campaign.addresses().catch(() => {})
  }
  await Promise.all(struck)
  for (const server of servers) server.tell({ store: 'jobs', forMs: 0 })
  await delay(blowEveryMs)
  await campaign.addresses()
  const healedAt = campaign.clock.now()
  clientsGiveUpAt = Date.now() + (4 * recoveryMs) / clockSpeed
  await answered

  const { breaches, unavoidable } = await inspect(campaign, healedAt)
  const acknowledged = campaign.witness.acknowledged.size
  console.log(
    `${plan.blows.length} blows, ${acknowledged} jobs, ${campaign.witness.cancelAsked.size} to be cancelled, ` +
      `${campaign.witness.deleted.size} deleted, ${campaign.vendor.ledger.length} paid, ` +
      `${campaign.receiver.received.length} webhooks, ${campaign.vendor.calledBack.size} called back, ${unavoidable.length} of which nobody could know`,
  )
  const counted = await countedUploads(database)
  const uncounted =
    countsUploads && counted < uploaded
      ? [`uncounted: ${uploaded} uploads are stored and ${counted} count`]
      : []
  const { count, left } = await expiredUploads(campaign)
  const stale = left.map((name) => `stale: the upload ${name} has expired and is there`)
  console.log(`${campaign.vendor.picturesRead.size} pictures read by the vendor, ${count} uploads expired`)
  return { breaches: [...breaches, ...uncounted, ...stale], acknowledged, campaign }
}

/**
 * Uploads the picture, if the order has one. Asks one server after the other to create the job until one has acknowledged it, and then until the job has
 * finished.
 */
async function runClient(
  campaign: Campaign,
  servers: StartedServer[],
  client: PlannedClient,
  { givesUp, onUpload }: { readonly givesUp: () => boolean; readonly onUpload: () => void },
): Promise<void> {
  await delay(client.startsAfterMs)
  let { order, server } = client
  let job: JobObject | undefined
  const ask = async <Answer>(talk: (address: string) => Promise<Answer | undefined>) => {
    const address = await servers[server++ % serverCount]?.address.catch(() => undefined)
    return address === undefined ? undefined : talk(address)
  }

  while (client.hasPicture && order.wish.image === undefined) {
    const image = await ask((address) => uploadPicture(campaign, address, order))
    if (image === undefined) await delay(100)
    else {
      onUpload()
      order = { ...order, wish: { ...order.wish, image } }
    }
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
  const { change } = client
  if (change.what === 'cancel') {
    await delay(change.afterMs)
    while (!(await ask((address) => cancelJob(campaign, address, id, order.owner))) && !givesUp())
      await delay(100)
  }
  while (job?.status !== 'completed' && job?.status !== 'failed' && !givesUp()) {
    await delay(500)
    job = await ask((address) => readJob(campaign, address, id, order.owner))
  }
  if (change.what !== 'delete' || givesUp()) return
  // Not given up, because a delete whose answer is lost may have deleted the job.
  while (!(await ask((address) => deleteJob(campaign, address, id, order.owner)))) await delay(100)
}

interface StormSite {
  readonly start: () => StartedServer
  readonly clockSpeed: number
  readonly database: string
}

/**
 * Does a blow to one server. Resolves when it is over. If the server has ended, another one is started in its
 * place.
 */
async function strike(
  { start, clockSpeed, database }: StormSite,
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
      servers[place] = start()
      return
    case 'close':
      // A new server takes its place at once, as in a deployment.
      servers[place] = start()
      await server.close()
      return
    case 'freeze':
      await server.freeze()
      await delay(blow.forMs)
      return server.thaw()
    case 'disconnect':
      return endConnections(database)
    case 'outage': {
      const { store, forMs, afterNextAnswer } = blow
      server.tell({ store, forMs: forMs * clockSpeed, afterNextAnswer })
      await delay(forMs)
    }
  }
}
