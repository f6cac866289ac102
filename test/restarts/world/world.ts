import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from '@genmount/core'
import { fastClock, type FastClockOptions } from '../../crashes/service/fast-clock.ts'
import type { TaskWish, VendorKind } from '../../crashes/vendor/task-wish.ts'
import type { Places } from '../service/service-settings.ts'
import type { Trouble } from '../service/troubles.ts'
import { type StartedService, startService } from './started-service.ts'
import { type Delays, type WatchedVendor, watchedVendor } from './watched-vendor.ts'

export const dayMs = 24 * 60 * 60_000
/** How long a claim lasts, in the service's time. */
export const leaseMs = 30_000

/** What a client asks for. */
export interface Wanted extends Partial<TaskWish> {
  readonly prompt: string
  /** @default 'plain' */
  readonly model?: VendorKind
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface CreateOptions {
  readonly wait?: boolean
  readonly key?: string
}

/** A vendor, and services that start and end on one database and one folder. */
export interface World {
  readonly vendor: WatchedVendor
  readonly places: Places
  /** The time on the services' clocks. */
  now(): number
  start(trouble?: Trouble): StartedService
  /** Moves the clocks of the `living` services, and of all services that start later, forward or (below 0) back. */
  moveClock(byMs: number, living?: readonly StartedService[]): void
  create(service: StartedService, wanted: Wanted, options?: CreateOptions): Promise<Reply>
  get(service: StartedService, path: string): Promise<Reply>
  jobs(): readonly Job[]
  job(id: string): Job | undefined
  /** All columns of the job's row, as they are in the database. */
  row(id: string): string
  fileNames(): readonly string[]
  /** Resolves when all jobs in the database have finished and have no step left. */
  settled(): Promise<void>
}

type Row = Record<string, SQLOutputValue>

const longestMs = 150_000

/**
 * @param onEnd registers what ends the services and deletes their files
 * @param speed how many seconds pass on the services' clocks in one second
 */
export async function startWorld(
  onEnd: (end: () => Promise<void>) => void,
  { speed = 20, delays = {} }: { readonly speed?: number; readonly delays?: Delays } = {},
): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-restarts-'))
  const places = { database: join(folder, 'jobs.db'), files: join(folder, 'files') }
  const vendor = await watchedVendor(delays)
  const aliceKey = `alice-key-${crypto.randomUUID()}`
  const linkSecret = `link-secret-${crypto.randomUUID()}`
  const services: StartedService[] = []
  const startedAt = Date.now()
  let clock: FastClockOptions = { speed, systemAt: startedAt, showsAt: startedAt }
  const authorization = `Bearer ${aliceKey}`

  onEnd(async () => {
    await Promise.all(services.map((service) => service.kill()))
    vendor.close()
    rmSync(folder, { recursive: true })
  })

  async function ask(service: StartedService, path: string, init: RequestInit = {}): Promise<Reply> {
    const headers = { authorization, ...init.headers }
    const reply = await fetch(`${await service.address}${path}`, { ...init, headers, redirect: 'manual' })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }

  function rows(): readonly Row[] {
    if (!existsSync(places.database)) return []
    // The first process that opens the database after a crash locks it for a moment.
    const database = new DatabaseSync(places.database, { readOnly: true, timeout: 5000 })
    try {
      const hasJobs = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'jobs'").get()
      return hasJobs ? database.prepare('SELECT * FROM jobs').all() : []
    } finally {
      database.close()
    }
  }

  const jobs = () => rows().map(({ job }) => JSON.parse(String(job)) as Job)

  return {
    vendor,
    places,
    now: () => fastClock(clock).now(),

    start(trouble) {
      const service = startService({ places, vendor, clock, aliceKey, linkSecret, trouble })
      services.push(service)
      return service
    },

    moveClock(byMs, living = []) {
      clock = { ...clock, showsAt: clock.showsAt + byMs }
      for (const service of living) service.tell(`clock ${JSON.stringify(clock)}`)
    },

    async create(service, { model = 'plain', ...wish }, { wait = false, key } = {}) {
      const whole = { task_ms: 0, answer_ms: 0, outputs: 1, as: 'url', fails: false, poll_after_ms: 20 }
      const attempt = () =>
        ask(service, `/v1/generate?wait=${wait}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
          body: JSON.stringify({ model, ...whole, ...wish }),
        })
      let reply = await attempt()
      // A create has 0.9 seconds of the service's clock to be stored. At high speed that is a few milliseconds, and a busy
      // disk needs longer.
      for (let tries = 1; tries < 50 && reply.text.includes('store_unavailable'); tries++) {
        await delay(50)
        reply = await attempt()
      }
      return reply
    },

    get: ask,
    jobs,
    job: (id) => jobs().find((job) => job.id === id),

    row: (id) => JSON.stringify(rows().find((row) => row['id'] === id)),
    fileNames: () => (existsSync(places.files) ? readdirSync(places.files) : []),

    async settled() {
      await until(() => jobs().every(({ dueAt }) => dueAt === undefined))
    },
  }
}

/**
 * Waits until the condition is true.
 * @param seen what the error shows beside the condition
 * @throws Error when the condition is still false after 150 seconds
 */
export async function until(hasCome: () => boolean, seen: () => unknown = () => ''): Promise<void> {
  const givesUpAt = Date.now() + longestMs
  while (!hasCome()) {
    if (Date.now() > givesUpAt) throw new Error(`It has not come: ${hasCome} ${JSON.stringify(seen())}`)
    await delay(20)
  }
}

/** The id in a reply with a job. */
export function idOf({ text }: Reply): string {
  return (JSON.parse(text) as { id: string }).id
}
