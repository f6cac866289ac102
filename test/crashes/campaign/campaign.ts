import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock, Job } from '@genmount/core'
import { storedJobs } from '../audit/stored-jobs.ts'
import { fastClock } from '../service/fast-clock.ts'
import type { KillPoint } from '../service/kill-points.ts'
import type { Places, ServerSettings } from '../service/server-settings.ts'
import { type Receiver, startReceiver } from '../receiver/receiver.ts'
import { type PaidVendor, startVendor } from '../vendor/paid-vendor.ts'
import { type Release, type Runtime, type StartedServer, startServer } from './started-server.ts'
import { createWitness, type Witness } from './witness.ts'

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

export interface StartOptions {
  /** The point at which the process kills itself. @default none */
  readonly killAt?: KillPoint | undefined
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
   * Sets the clock of all servers that are started from now on: it jumps ahead by `aheadMs` and then runs at
   * `speed`.
   */
  setClock(aheadMs: number, speed: number): void
  /** The addresses of the servers that are alive and listen. */
  addresses(): Promise<readonly string[]>
  /**
   * Resolves when no job has a step left, no row of a deleted job is left and no callback is pending, or when all this should have ended long
   * ago.
   */
  settled(): Promise<void>
}

/**
 * Starts a vendor and prepares a folder for the servers.
 * @param onEnd registers a function that ends the servers and deletes their files
 * @param speed how many seconds the clock of the service runs in one second of the system
 * @param shared the URLs of a Postgres database that keeps the jobs, and of a Redis that wakes them. By default a
 *   SQLite file keeps them
 * @param countsUploads whether uploads count in what their owners may store
 */
export async function startCampaign(
  onEnd: (end: () => Promise<void>) => void,
  speed = 1,
  shared: Partial<Pick<Places, 'database' | 'redis'>> = {},
  countsUploads = false,
): Promise<Campaign> {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-crashes-'))
  const logFile = join(folder, 'log')
  const places = {
    database: join(folder, 'jobs.db'),
    files: join(folder, 'files'),
    deaths: join(folder, 'deaths'),
    diary: join(folder, 'diary'),
    ...shared,
  }
  mkdirSync(places.deaths)
  const servers: StartedServer[] = []
  const vendor = await startVendor({
    addresses: () => servers.flatMap(({ knownAddress }) => knownAddress ?? []),
    get speed() {
      return clockOptions.speed
    },
  })
  const receiver = await startReceiver()
  const webhookSecret = `whsec_${btoa(crypto.randomUUID())}`
  let clockOptions = { speed, systemAt: Date.now(), showsAt: Date.now() }
  let clock = fastClock(clockOptions)
  const keys = { alice: `alice-key-${crypto.randomUUID()}`, bob: `bob-key-${crypto.randomUUID()}` }
  const linkSecret = `link-secret-${crypto.randomUUID()}`

  onEnd(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    vendor.close()
    receiver.close()
    rmSync(folder, { recursive: true })
  })

  return {
    vendor,
    receiver,
    witness: createWitness(),
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

    setClock(aheadMs, speed) {
      clockOptions = { speed, systemAt: Date.now(), showsAt: clock.now() + aheadMs }
      clock = fastClock(clockOptions)
    },

    start({ killAt, runtime, release } = {}) {
      const access = { address: vendor.address, secret: vendor.secret }
      const settings: ServerSettings = {
        places,
        vendor: access,
        receiver: { address: receiver.address, secret: webhookSecret },
        clock: clockOptions,
        keys,
        linkSecret,
        uploadHours,
        countsUploads,
        killAt,
      }
      const server = startServer(settings, logFile, runtime, release)
      servers.push(server)
      return server
    },

    async addresses() {
      return Promise.all(servers.filter(({ hasEnded }) => !hasEnded).map(({ address }) => address))
    },

    async settled() {
      /** Waits until nothing is left, or for this long, in milliseconds of the service, while nothing gets less. */
      const noneLeft = async (countLeft: () => Promise<number>, patienceMs: number) => {
        let [least, leastAt] = [Infinity, clock.now()]
        for (let left = await countLeft(); left > 0; left = await countLeft()) {
          if (left < least) [least, leastAt] = [left, clock.now()]
          if (clock.now() > leastAt + patienceMs) return
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
