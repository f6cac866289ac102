import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Campaign } from '../campaign/campaign.ts'
import { send } from '../campaign/client.ts'
import type { Span, StartedServer } from '../campaign/started-server.ts'
import type { JobObject } from '../campaign/witness.ts'
import { readDiary } from '../service/diary.ts'
import { serviceOrigin } from '../service/server-settings.ts'
import { vendorFile, vendorOrigin } from '../vendor/vendor-file.ts'
import { storedJobs } from './stored-jobs.ts'

/** How much of the end of the log a breach shows, in characters. */
const logEndLength = 3000

/** What happened to a server process in the campaign. */
export type ServerLife = Pick<StartedServer, 'pid' | 'diedAt' | 'exitCode'> & {
  /** @default the newest */
  readonly release?: StartedServer['release']
  readonly frozen: readonly Span[]
}

/** Everything that the rules check. */
export type Findings = Awaited<ReturnType<typeof gatherFindings>>

/** @param healedAt the instant after which no process was killed, by the clock of the service */
export async function gatherFindings(campaign: Campaign, healedAt: number) {
  const { witness, vendor, receiver, clockSpeed, places } = campaign
  const addresses = await campaign.addresses()
  const stored = await storedJobs(places.database)
  const owners = new Map([...stored.map(({ id, owner }) => [id, owner] as const), ...witness.acknowledged])
  /** The answer of the service to the owner of each job that was acknowledged or is stored: the job, or the status. */
  const read = new Map<string, JobObject | number>()
  /** The outputs that differ from what the vendor made, each with the reason. */
  const badFiles: string[] = []

  for (const address of addresses) {
    for (const [id, owner] of owners) read.set(id, await readBy(campaign, address, id, owner))
  }
  for (const [index, job] of [...read.values()].entries()) {
    const address = addresses[index % addresses.length] ?? ''
    if (typeof job === 'object') badFiles.push(...(await badFilesOf(campaign, address, job)))
  }

  const { orders, acknowledged, missed, changed, cancelAsked, deleted } = witness
  const lives: readonly ServerLife[] = campaign.servers
  return {
    healedAt,
    /** How late anything may be because the machine is busy: two seconds of real time, in milliseconds of the service. */
    toleranceMs: 2_000 * clockSpeed,
    clockSpeed,
    /** Whether the clock of the servers may have been set while they lived. */
    sharesClock: campaign.sharesClock,
    /** How long others wait for a process that may only be cut off from the jobs, in milliseconds of the service. */
    mayReturnMs: campaign.mayReturnMs,
    orders,
    acknowledged,
    missed,
    changed,
    cancelAsked,
    deleted,
    ledger: vendor.ledger,
    picturesRead: vendor.picturesRead,
    calledBack: vendor.calledBack,
    webhooks: receiver.received,
    diary: readDiary(places.diary),
    lives,
    logEnd: readFileSync(campaign.logFile, 'utf8').slice(-logEndLength),
    /** When these findings were gathered, by the clock of the system, and by the clock of the service. */
    endsAt: Date.now(),
    clockAtEnd: campaign.clock.now(),
    stored,
    read,
    badFiles,
    fileNames: campaign.fileNames(),
    leaks: await leaksOf(campaign),
    money: await campaign.money?.findings(),
  }
}

/** Reads a job as its owner. @returns the job, or the status if it is not 200 */
async function readBy(
  campaign: Campaign,
  address: string,
  id: string,
  owner: string,
): Promise<JobObject | number> {
  const { status, text } = await send(campaign, address, `/v1/jobs/${id}`, { owner })
  return status === 200 ? campaign.witness.see(text) : status
}

/** Downloads each output of the job through its link, as its owner would. */
async function badFilesOf(
  campaign: Campaign,
  address: string,
  { id, data, input }: JobObject,
): Promise<readonly string[]> {
  const { vendor, witness } = campaign
  const placeOf = (url: string) => url.replace(serviceOrigin, address).replace(vendorOrigin, vendor.address)
  const owner = witness.orders.get(input.prompt)?.owner ?? ''
  const task = vendor.ledger.find(({ order }) => order.job_id === id)
  const bad: string[] = []
  for (const [index, { url }] of data.entries()) {
    const redirect = await send(campaign, placeOf(url), '', { owner })
    const location = redirect.headers.get('location') ?? ''
    const whole = task && sha256(vendorFile(task.taskId, index))
    const came = redirect.status === 302 ? await download(placeOf(location)) : `status ${redirect.status}`
    if (came !== whole) bad.push(`${id}, output ${index}: ${came}`)
  }
  return bad
}

/** Downloads a file. @returns the SHA-256 of its bytes, or a description of the answer if there is no file */
async function download(url: string): Promise<string> {
  try {
    const response = await fetch(url)
    return response.status === 200 ? sha256(await response.bytes()) : `status ${response.status} of ${url}`
  } catch (error) {
    return `${String(error)} from ${url}`
  }
}

async function leaksOf({ places: { database }, logFile, secrets }: Campaign): Promise<readonly string[]> {
  const files = [database, `${database}-wal`, logFile].filter((file) => existsSync(file))
  const contents = await Promise.all(files.map(async (file) => ({ file, bytes: await readFile(file) })))
  return contents.flatMap(({ file, bytes }) =>
    secrets
      .filter((secret) => bytes.includes(secret))
      .map((secret) => `${secret.replace(/-[-0-9a-f]*$/, '')} in ${file}`),
  )
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
