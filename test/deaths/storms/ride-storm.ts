import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { audit } from '../audit/rules.ts'
import { countedUploads } from '../audit/stored-jobs.ts'
import {
  type Campaign,
  type CampaignOptions,
  dayMs,
  recoveryMs,
  startCampaign,
  uploadHours,
} from '../campaign/campaign.ts'
import type { Release, StartedServer } from '../campaign/started-server.ts'
import type { Layout } from '../service/server-settings.ts'
import type { VendorKind } from '../vendor/task-wish.ts'
import { type Blow, kill } from './blows.ts'
import { runClient } from './run-client.ts'
import { planStorm } from './storm-plan.ts'

const serverCount = 3
const blowEveryMs = 1000
/** What bob may spend for each second of a storm, in US dollars: half of what his jobs would cost. */
const bobsUsdEachSecond = 0.1

/**
 * A storm over three processes that share their jobs, with ten jobs each second. `STORM_SECONDS=60 STORM_SEED=7` makes a
 * storm last 60 s, with the same plan each time.
 */
export interface Storm {
  /** How long it lasts, without `STORM_SECONDS`. */
  readonly seconds: number
  /** What happens to a process, each second one of these, in a random order. */
  readonly blows: readonly Blow[]
  /** How many seconds the clock of the service runs in one second of the system. @default 10 */
  readonly clockSpeed?: number
  /** The models of the jobs. @default those of all vendors */
  readonly models?: readonly VendorKind[]
  /** Whether some vendors make the picture in the call to submit it, which takes longer than closing services once waited. */
  readonly hasSlowCalls?: boolean
  /** The servers that keep and wake the jobs. @default a SQLite file */
  readonly shared?: CampaignOptions['shared']
  /** The code of a server by how many were started before it. @default the newest for all */
  readonly releaseOf?: (startedBefore: number) => Release
  /**
   * The providers of a server by how many were started before it. When the storm is over, servers that have all
   * providers take the places of all. @default all servers have the same providers
   */
  readonly layoutOf?: (startedBefore: number) => Layout
  /** Whether the clock of the servers is set while they live. When the storm is over, it is right. @default false */
  readonly missetsClock?: boolean
  /** The clock of the database, which the servers follow in place of that of their machine. */
  readonly databaseClock?: CampaignOptions['databaseClock']
}

/** What is left after a storm. */
export type Survey = Awaited<ReturnType<typeof rideStorm>>

/**
 * Lets a storm pass over a service and its clients.
 * @param onEnd registers a function that ends the servers and deletes their files
 */
export async function rideStorm(storm: Storm, onEnd: (end: () => Promise<void>) => void) {
  const { clockSpeed = 10, shared, releaseOf, layoutOf, missetsClock = false, databaseClock } = storm
  const lastsMs = Number(process.env['STORM_SECONDS'] ?? storm.seconds) * 1000
  const seed = Number(process.env['STORM_SEED'] ?? Date.now() % 1_000_000)
  console.log(`STORM_SEED=${seed} STORM_SECONDS=${lastsMs / 1000}`)
  const plan = planStorm(storm, seed, lastsMs, serverCount, Math.floor(lastsMs / blowEveryMs) - 1)
  // Older releases take uploads without counting them, and know no balance.
  const countsUploads = releaseOf === undefined
  const campaign = await startCampaign(onEnd, {
    speed: clockSpeed,
    shared,
    countsUploads,
    balancesUsd: releaseOf ? undefined : { alice: 1000, bob: (bobsUsdEachSecond * lastsMs) / 1000 },
    sharesClock: missetsClock,
    databaseClock,
  })
  const { database } = campaign.places
  const { rotateKey } = campaign.vendor
  const start = (place: number) => {
    const startedBefore = campaign.servers.length
    return campaign.start({
      release: releaseOf?.(startedBefore),
      layout: layoutOf?.(startedBefore),
      hasOddClock: place === 0,
      ...(storm.hasSlowCalls && { callTimeoutMs: 300_000 }),
    })
  }
  const misset = (aheadMs: number) => campaign.misset(aheadMs)
  const { missetNode } = campaign
  const servers = Array.from({ length: serverCount }, (_, place) => start(place))
  await campaign.addresses()

  /** In place of a server that may lack providers or the newest key, starts one that has all. */
  async function replaceByComplete(server: StartedServer, place: number): Promise<void> {
    servers[place] = campaign.start({ layout: { serves: 'main', keeps: 'other' } })
    await server.close()
  }

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
  for (const { blow, place, aheadMs } of plan.blows) {
    await delay(blowEveryMs)
    const places = servers.map((_, index) => (place + index) % serverCount)
    const victim = places.find((each) => !servers[each]?.isFrozen) ?? place
    const strikes = blow(
      { servers, start, clockSpeed, database, rotateKey, misset, missetNode },
      victim,
      aheadMs,
    )
    struck.push(strikes)
    // The next kill waits until the blows before it are over.
    if (blow === kill) await strikes
    // A deployment waits for its new servers. On a slow machine they would otherwise meet no older server.
    if (releaseOf) await campaign.addresses().catch(() => {})
  }
  await Promise.all(struck)
  if (missetsClock) misset(0)
  if (layoutOf) await Promise.all(servers.map(replaceByComplete))
  for (const server of servers) server.tell({ store: 'jobs', forMs: 0 })
  await delay(blowEveryMs)
  await campaign.addresses()
  const healedAt = campaign.clock.now()
  clientsGiveUpAt = Date.now() + (4 * recoveryMs + campaign.mayReturnMs) / clockSpeed
  await answered.catch((error: unknown) => {
    // A client fails when a server answers with an error, and the server has logged why.
    console.log(readFileSync(campaign.logFile, 'utf8').slice(-20_000))
    throw error
  })

  const breaches = [...(await audit(campaign, healedAt))]
  const acknowledged = campaign.witness.acknowledged.size
  const refused = campaign.witness.refused.size
  console.log(
    `${plan.blows.length} blows, ${acknowledged} jobs, ${refused} refused, ${campaign.witness.cancelAsked.size} to be canceled, ` +
      `${campaign.witness.deleted.size} deleted, ${campaign.vendor.ledger.length} paid, ` +
      `${campaign.receiver.received.length} webhooks, ${campaign.vendor.calledBack.size} called back`,
  )
  const counted = await countedUploads(database)
  if (countsUploads && counted < uploaded)
    breaches.push(`uncounted: ${uploaded} uploads are stored and ${counted} count`)
  for (const name of await staleUploads(campaign))
    breaches.push(`stale: the upload ${name} has expired and is there`)
  if (campaign.money && refused === 0) breaches.push('unlimited: bob could spend what he liked')
  /** How many jobs clients wanted, how many they have been told of, and how many they could not pay for. */
  return { breaches, ordered: plan.clients.length, acknowledged, refused, campaign }
}

/** Lets all servers end, and starts one after all uploads have expired. @returns the uploads that its sweep has left */
async function staleUploads(campaign: Campaign): Promise<readonly string[]> {
  const folder = join(campaign.places.files, 'uploads')
  const uploads = () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.incoming')) : []
  console.log(
    `${campaign.vendor.picturesRead.size} pictures read by the vendor, ${uploads().length} uploads expire`,
  )
  await Promise.all(campaign.servers.map((server) => server.kill()))
  // A process believes its clock after an hour, which lasts 4 s.
  const mostAheadMs = campaign.sharesClock ? 8 * dayMs : 0
  campaign.setClock(mostAheadMs + (uploadHours + 1) * 60 * 60_000, 900)
  await campaign.start({ followsDatabase: false }).address
  const until = Date.now() + 20_000
  while (uploads().length > 0 && Date.now() < until) await delay(50)
  return uploads()
}
