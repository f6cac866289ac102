import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from '../audit/auditor.ts'
import { countedUploads } from '../audit/stored-jobs.ts'
import {
  type Campaign,
  type CampaignOptions,
  recoveryMs,
  startCampaign,
  uploadHours,
} from '../campaign/campaign.ts'
import type { Release } from '../campaign/started-server.ts'
import type { VendorKind } from '../vendor/task-wish.ts'
import { runClient } from './run-client.ts'
import { type Blow, planStorm } from './storm-plan.ts'
import { strike } from './strike.ts'

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
  /** What happens to a process, each second one of these, in a random order. */
  readonly blows: readonly Blow[]
  /** How many seconds the clock of the service runs in one second of the system. */
  readonly clockSpeed: number
  /** The models of the jobs. @default those of all vendors */
  readonly models?: readonly VendorKind[]
  /** The servers that keep and wake the jobs. @default a SQLite file */
  readonly shared?: CampaignOptions['shared']
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
export async function rideStorm(storm: Storm, onEnd: (end: () => Promise<void>) => void): Promise<Survey> {
  const { lastsMs, seed, clockSpeed, shared, releaseOf } = storm
  console.log(`STORM_SEED=${seed} STORM_SECONDS=${lastsMs / 1000}`)
  const blowCount = Math.floor(lastsMs / blowEveryMs) - 1
  // Older releases take uploads without counting them.
  const countsUploads = releaseOf === undefined
  const plan = planStorm(storm, serverCount, blowCount)
  const campaign = await startCampaign(onEnd, { speed: clockSpeed, shared, countsUploads })
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

const hourMs = 60 * 60_000
/** For how long to wait for the sweep of a server that listens, in milliseconds of the system. */
const patienceMs = 20_000

/**
 * Lets all servers end, starts one after all uploads have expired, and waits for its sweep.
 * @returns how many uploads there were, and the uploads that are left
 */
async function expiredUploads(
  campaign: Campaign,
): Promise<{ readonly count: number; readonly left: readonly string[] }> {
  const folder = join(campaign.places.files, 'uploads')
  const uploads = () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => !name.endsWith('.incoming')) : []
  const count = uploads().length
  await Promise.all(campaign.servers.map((server) => server.kill()))
  campaign.setClock((uploadHours + 1) * hourMs)
  await campaign.start().address
  const until = Date.now() + patienceMs
  while (uploads().length > 0 && Date.now() < until) await delay(50)
  return { count, left: uploads() }
}
