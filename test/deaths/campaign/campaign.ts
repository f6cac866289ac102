import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock, Job } from '@genmount/core'
import type { Runtime } from '../../processes/runtimes.ts'
import { jobsInFile, storedJobs } from '../audit/stored-jobs.ts'
import { fastClock } from '../service/fast-clock.ts'
import type { Faults, Places } from '../service/server-settings.ts'
import { type Delays, type PaidVendor, startVendor } from '../vendor/paid-vendor.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type Release, type StartedServer, startServer } from './started-server.ts'
import { Witness } from './witness.ts'

export const dayMs = 24 * 60 * 60_000
/**
 * How long no other process touches a job after the process that claimed it has died, in milliseconds of the
 * service.
 */
export const leaseMs = 30_000
/**
 * How long a job may take after the last kill, in milliseconds of the service: a lease, a sweep and two
 * polls.
 */
export const recoveryMs = leaseMs + 5_000 + 2 * 10_000
/**
 * How long the row of a deleted job may stay while the process that was copying its outputs lives on without its claim,
 * in milliseconds of the service: 20 minutes, and the sweeps.
 */
const longestRowMs = 22 * 60_000

/** How long the servers keep uploads, in hours of the service: longer than the deadline of a job. */
export const uploadHours = 25

export interface CampaignOptions {
  /** How many seconds the clock of the service runs in one second of the system. @default 1 */
  readonly speed?: number
  /**
   * The URLs of a Postgres database that keeps the jobs, and of a Redis that wakes them. @default a SQLite file keeps
   * them
   */
  readonly shared?: Partial<Pick<Places, 'database' | 'redis'>> | undefined
  /** Whether uploads count in what their owners may store. @default false */
  readonly countsUploads?: boolean
  /** What calls to the vendor wait for. @default nothing */
  readonly delays?: Delays
}

export interface StartOptions extends Faults {
  /** The runtime of the server. @default 'node' */
  readonly runtime?: Runtime | undefined
  /** The code of the server. @default 'newest' */
  readonly release?: Release | undefined
}

/** The servers of one service, which start and die, their vendor, and everything that is known about them. */
export interface Campaign {
  readonly vendor: PaidVendor
  readonly receiver: Receiver
  readonly witness: Witness
  /** The clock of the service. */
  readonly clock: Clock
  readonly clockSpeed: number
  readonly places: Places
  readonly logFile: string
  readonly keys: Readonly<Record<string, string>>
  /** Texts that must not appear in any file or log. */
  readonly secrets: readonly string[]
  /** All servers that were ever started. */
  readonly servers: readonly StartedServer[]
  start(options?: StartOptions): StartedServer
  /**
   * Sets the clock of all servers that are started from now on, and of the `living` ones: it jumps ahead by `aheadMs`, or
   * back if that is below 0, and then runs at `speed`, by default as before. Living servers keep their speed.
   */
  setClock(aheadMs: number, speed?: number, living?: readonly StartedServer[]): void
  /** The addresses of the servers that are alive and listen. */
  addresses(): Promise<readonly string[]>
  /** The jobs in a SQLite file. */
  jobs(): readonly Job[]
  job(id: string): Job | undefined
  /** The names of the stored files, without uploads. */
  fileNames(): readonly string[]
  /**
   * Resolves when no job has a step left, no row of a deleted job is left and no callback is pending, or when all this should have ended long
   * ago.
   */
  settled(): Promise<void>
}

/**
 * Starts a vendor and prepares a folder for the servers.
 * @param onEnd registers a function that ends the servers and deletes their files
 */
export async function startCampaign(
  onEnd: (end: () => Promise<void>) => void,
  { speed = 1, shared, countsUploads = false, delays }: CampaignOptions = {},
): Promise<Campaign> {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-deaths-'))
  const logFile = join(folder, 'log')
  const places = {
    database: join(folder, 'jobs.db'),
    files: join(folder, 'files'),
    deaths: join(folder, 'deaths'),
    diary: join(folder, 'diary'),
    ...shared,
  }
  mkdirSync(places.deaths)
  writeFileSync(logFile, '')
  const servers: StartedServer[] = []
  const calledService = {
    addresses: () => servers.flatMap(({ listeningAddress }) => listeningAddress ?? []),
    get speed() {
      return clockOptions.speed
    },
  }
  const vendor = await startVendor(calledService, delays)
  const receiver = await startReceiver()
  const webhookSecret = `whsec_${btoa(crypto.randomUUID())}`
  let clockOptions = { speed, systemAt: Date.now(), showsAt: Date.now() }
  let clock = fastClock(clockOptions)
  const keys = { alice: `alice-key-${crypto.randomUUID()}`, bob: `bob-key-${crypto.randomUUID()}` }
  const linkSecret = `link-secret-${crypto.randomUUID()}`
  const jobs = () => jobsInFile(places.database)

  onEnd(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    vendor.close()
    receiver.close()
    rmSync(folder, { recursive: true })
  })

  return {
    vendor,
    receiver,
    witness: new Witness(),
    places,
    logFile,
    keys,
    servers,
    secrets: [...Object.values(keys), vendor.secret, linkSecret, webhookSecret],

    get clock() {
      return clock
    },
    get clockSpeed() {
      return clockOptions.speed
    },

    setClock(aheadMs, speed = clockOptions.speed, living = []) {
      clockOptions = { speed, systemAt: Date.now(), showsAt: clock.now() + aheadMs }
      clock = fastClock(clockOptions)
      for (const server of living) server.tell(clockOptions)
    },

    start({ runtime, release, ...faults } = {}) {
      const settings = {
        ...faults,
        places,
        vendor: { address: vendor.address, secret: vendor.secret },
        receiver: { address: receiver.address, secret: webhookSecret },
        clock: clockOptions,
        keys,
        linkSecret,
        uploadHours,
        countsUploads,
      }
      const server = startServer(settings, logFile, runtime, release)
      servers.push(server)
      return server
    },

    addresses: () => Promise.all(servers.filter(({ hasEnded }) => !hasEnded).map(({ address }) => address)),
    jobs,
    job: (id) => jobs().find((job) => job.id === id),
    fileNames: () => namesIn(places.files),

    async settled() {
      /**
       * Waits until nothing is left, or while nothing gets less for this long, in milliseconds of the service, and for
       * 30 s of the system, because a fast clock does not make a busy machine fast.
       */
      const noneLeft = async (countLeft: () => Promise<number>, patienceMs: number) => {
        let [least, leastAt, systemAt] = [Infinity, clock.now(), Date.now()]
        for (let left = await countLeft(); left > 0; left = await countLeft()) {
          if (left < least) [least, leastAt, systemAt] = [left, clock.now(), Date.now()]
          if (clock.now() > leastAt + patienceMs && Date.now() > systemAt + 30_000) return
          await delay(50)
        }
      }
      const count = async (isLeft: (job: Job) => boolean) =>
        (await storedJobs(places.database)).filter(isLeft).length
      const isUnfinished = ({ dueAt, deletedAt }: Job) => dueAt !== undefined && deletedAt === undefined
      await noneLeft(async () => vendor.pendingCallbacks + (await count(isUnfinished)), 4 * recoveryMs)
      await noneLeft(() => count(({ deletedAt }) => deletedAt !== undefined), longestRowMs)
    },
  }
}

/** The names of the files in a folder, without its folders. */
function namesIn(folder: string): readonly string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}
