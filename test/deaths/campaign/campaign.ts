import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from '@genmount/core'
import type { Runtime } from '../../processes/runtimes.ts'
import { jobsInFile, storedJobs } from '../audit/stored-jobs.ts'
import { auditMoney, type Balances, reservedUsd } from '../audit/money.ts'
import type { SettablePostgres } from '../../postgres/start-settable-postgres.ts'
import { writeClock } from '../service/clock-file.ts'
import { fastClock } from '../service/fast-clock.ts'
import type { Faults, Places } from '../service/server-settings.ts'
import { type Delays, startVendor } from '../vendor/paid-vendor.ts'
import { startReceiver } from './receiver.ts'
import { type Release, serverPrograms, type StartedServer, startServer } from './started-server.ts'
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

/**
 * How long others wait for a process that may only be cut off or frozen, in milliseconds of the service. Postgres tells within
 * seconds who has gone, and libSQL never does.
 */
const mayReturnMsOf = ({ database, libsql }: Pick<Places, 'database' | 'libsql'>) =>
  libsql ? 300_000 : database.startsWith('postgres:') ? 180_000 : 0

/** How long the answer of a server that hides a job may be on its way after the clock was put right, in milliseconds. */
const hidingMs = 2000

/**
 * How long the servers keep uploads, in hours of the service: longer than the deadline of a job, also when the clock is set
 * ahead by nine days between an upload and its use. A server would refuse the upload, and ask for another.
 */
export const uploadHours = 250

export interface CampaignOptions {
  /** How many seconds the clock of the service runs in one second of the system. @default 1 */
  readonly speed?: number
  /**
   * The URLs of a Postgres database that keeps the jobs, and of a Redis that wakes them; or a SQLite file and the URL of a
   * libSQL server on it. @default a SQLite file keeps them
   */
  readonly shared?: Partial<Pick<Places, 'database' | 'libsql' | 'redis'>> | undefined
  /** Whether uploads count in what their owners may store. @default false */
  readonly countsUploads?: boolean
  /**
   * What each owner may spend in all, in US dollars. While the servers work, an auditor compares what they say was spent and
   * reserved with what the vendor has charged. @default what they like
   */
  readonly balancesUsd?: Balances | undefined
  /** Whether the servers share the clock of their machine, so that setting it reaches the living ones. @default false */
  readonly sharesClock?: boolean
  /**
   * The clock of the database, which runs at the same speed and which the servers follow. `sharesClock` then means that it
   * is set in place of that of their machines. @default the servers have the clock of their machine
   */
  readonly databaseClock?: Pick<SettablePostgres, 'show'> | undefined
  /** What calls to the vendor wait for. @default nothing */
  readonly delays?: Delays
}

export interface StartOptions extends Faults {
  /** The runtime of the server. @default 'node' */
  readonly runtime?: Runtime | undefined
  /** The code of the server. @default 'newest' */
  readonly release?: Release | undefined
  /** Whether its machine is the one whose clock `missetNode` sets. @default false */
  readonly hasOddClock?: boolean
  /** Whether it has the time of the database. @default whether the campaign has a `databaseClock` */
  readonly followsDatabase?: boolean
}

/** The servers of one service, which start and die, their vendor, and everything that is known about them. */
export type Campaign = Awaited<ReturnType<typeof startCampaign>>

/**
 * Starts a vendor and prepares a folder for the servers.
 * @param onEnd registers a function that ends the servers and deletes their files
 */
export async function startCampaign(
  onEnd: (end: () => Promise<void>) => void,
  {
    speed = 1,
    shared,
    countsUploads = false,
    balancesUsd,
    sharesClock = false,
    databaseClock,
    delays,
  }: CampaignOptions = {},
) {
  const programs = await serverPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'genmount-deaths-'))
  const logFile = join(folder, 'log')
  const places = {
    database: join(folder, 'jobs.db'),
    files: join(folder, 'files'),
    deaths: join(folder, 'deaths'),
    diary: join(folder, 'diary'),
    ...(sharesClock && !databaseClock && { clock: join(folder, 'clock') }),
    ...shared,
  }
  const mayReturnMs = mayReturnMsOf(places)
  mkdirSync(places.deaths)
  mkdirSync(places.files)
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
  const witness = new Witness()
  const chargedTo = (owner: string) =>
    vendor.ledger.filter(({ order }) => witness.orders.get(order.wish.prompt)?.owner === owner)
  const money = balancesUsd && (await auditMoney(places.database, balancesUsd, chargedTo))
  const webhookSecret = `whsec_${btoa(crypto.randomUUID())}`
  let clockOptions = { speed, systemAt: Date.now(), showsAt: Date.now() }
  /** The clock of the service. */
  const clock = fastClock(() => clockOptions)
  if (places.clock !== undefined) writeClock(places.clock, clockOptions)
  databaseClock?.show(clock.now())
  /** The clocks of the machines, for servers that follow the database. */
  const [rightClock, oddClock] = [join(folder, 'right-clock'), join(folder, 'odd-clock')]
  const rightOptions = clockOptions
  for (const file of [rightClock, oddClock]) writeClock(file, rightOptions)
  /** By how many milliseconds the clock was set in all. */
  let aheadMs = 0
  let lastAheadAt = Number.NEGATIVE_INFINITY
  const keys: Readonly<Record<string, string>> = {
    alice: `alice-key-${crypto.randomUUID()}`,
    bob: `bob-key-${crypto.randomUUID()}`,
  }
  const linkSecret = `link-secret-${crypto.randomUUID()}`
  /** The jobs in a SQLite file. */
  const jobs = () => jobsInFile(places.database)

  onEnd(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    await money?.close()
    vendor.close()
    receiver.close()
    rmSync(folder, { recursive: true })
  })

  return {
    vendor,
    receiver,
    mayReturnMs,
    /** The auditor of what was spent. */
    money,
    witness,
    places,
    logFile,
    keys,
    /** All servers that were ever started. */
    servers,
    /** Texts that must not appear in any file or log. */
    secrets: [...Object.values(keys), ...vendor.secrets, linkSecret, webhookSecret],

    clock,
    get clockSpeed() {
      return clockOptions.speed
    },

    /**
     * Sets the clock of all servers that are started from now on, and of the living ones if the campaign `sharesClock`: it
     * jumps ahead by `byMs`, or back if that is below 0, and then runs at `speed`, by default as before. Living servers must
     * keep their speed.
     */
    setClock(byMs: number, speed = clockOptions.speed) {
      if (aheadMs > 0) lastAheadAt = Date.now()
      aheadMs += byMs
      clockOptions = { speed, systemAt: Date.now(), showsAt: clock.now() + byMs }
      if (places.clock !== undefined) writeClock(places.clock, clockOptions)
      databaseClock?.show(clock.now())
    },
    /** Sets the clock of the machine with `hasOddClock` so that it is ahead of the right one by this much. */
    missetNode: (byMs: number) =>
      writeClock(oddClock, { ...rightOptions, showsAt: rightOptions.showsAt + byMs }),
    /** Sets the clock so that it is ahead by this much of one that was never set. */
    misset(byMs: number) {
      this.setClock(byMs - aheadMs)
    },
    /** Whether a server that has started meanwhile may hide jobs, because its clock says that they have expired. */
    get mayHideJobs() {
      return sharesClock && (aheadMs > 0 || Date.now() < lastAheadAt + hidingMs)
    },
    sharesClock,

    start({
      runtime,
      release,
      hasOddClock = false,
      followsDatabase = databaseClock !== undefined,
      ...faults
    }: StartOptions = {}) {
      const machineClock = hasOddClock ? oddClock : rightClock
      const settings = {
        ...faults,
        places: followsDatabase ? { ...places, clock: machineClock } : places,
        followsDatabase,
        vendor: {
          address: vendor.address,
          secret: vendor.secret,
          callbackSecret: vendor.callbackSecret,
        },
        receiver: { address: receiver.address, secret: webhookSecret },
        clock: clockOptions,
        keys,
        linkSecret,
        uploadHours,
        countsUploads,
        reserveUsd: money && reservedUsd,
      }
      const server = startServer(programs, settings, logFile, runtime, release)
      servers.push(server)
      return server
    },

    /** The addresses of the servers that are alive and listen. */
    addresses: () => Promise.all(servers.filter(({ hasEnded }) => !hasEnded).map(({ address }) => address)),
    jobs,
    job: (id: string) => jobs().find((job) => job.id === id),

    /** The names of the stored files, without uploads, which have a folder of their own. */
    fileNames: () =>
      readdirSync(places.files, { withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? entry.name : [],
      ),

    /**
     * Resolves when no job has a step left, no row of a deleted job is left and no callback is pending, or when all this
     * should have ended long ago.
     */
    async settled() {
      const count = async (isLeft: (job: Job) => boolean) =>
        (await storedJobs(places.database)).filter(isLeft).length
      const isUnfinished = ({ dueAt, deletedAt }: Job) => dueAt !== undefined && deletedAt === undefined
      const unsettled = async () => vendor.pendingCallbacks + (await count(isUnfinished))
      await noneLeft(unsettled, 4 * recoveryMs + mayReturnMs, () => clock.now())
      await noneLeft(
        () => count(({ deletedAt }) => deletedAt !== undefined),
        longestRowMs,
        () => clock.now(),
      )
    },
  }
}

/**
 * Waits until nothing is left, or while nothing gets less for this long, in milliseconds of the service, and for 30 s of
 * the system, because a fast clock does not make a busy machine fast.
 */
async function noneLeft(countLeft: () => Promise<number>, patienceMs: number, now: () => number) {
  let [least, leastAt, systemAt] = [Infinity, now(), Date.now()]
  for (let left = await countLeft(); left > 0; left = await countLeft()) {
    if (left < least) [least, leastAt, systemAt] = [left, now(), Date.now()]
    if (now() > leastAt + patienceMs && Date.now() > systemAt + 30_000) return
    await delay(50)
  }
}
