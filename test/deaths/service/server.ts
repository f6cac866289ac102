/**
 * A server process with a service as an app would mount it. Made for the test are only its parts, which may
 * kill the process, and the commands that it reads from standard input, one per line.
 */
import { createServer } from 'node:http'
import module from 'node:module'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { type Backend, createGenerationService, type FileFetch } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { signedWebhooks } from '@genmount/webhooks'
import { receiverFetch } from '../campaign/receiver.ts'
import { type VendorKind, vendorKinds } from '../vendor/task-wish.ts'
import { vendorOrigin } from '../vendor/vendor-file.ts'
import { vendorProvider } from '../vendor/vendor-provider.ts'
import { clockIn } from './clock-file.ts'
import { diaryHooks, diaryIn, noteWaits } from './diary.ts'
import { fastClock } from './fast-clock.ts'
import { hooked, type PartHooks } from './hooked.ts'
import { killHooks } from './kill-points.ts'
import {
  type Layout,
  type OutageOrder,
  type ServerOrder,
  type ServerSettings,
  serviceOrigin,
} from './server-settings.ts'
import { outageHooks, poisonHooks, troubles } from './troubles.ts'
import { callbacks } from '@genmount/core/callbacks'
import { limits } from '@genmount/core/limits'
import { uploads } from '@genmount/core/uploads'
import { webhooks } from '@genmount/core/webhooks'

const settings = JSON.parse(process.argv[2] ?? '') as ServerSettings
const { places, vendor, receiver, keys, linkSecret, callTimeoutMs, reserveUsd } = settings
/** The clock of the machine. */
const clock = fastClock(places.clock === undefined ? () => settings.clock : clockIn(places.clock))
const note = diaryIn(places.diary)
noteWaits(note)
/** Until when each store can not be reached, by the clock's `uptime`. */
const awayUntil = { jobs: Number.NEGATIVE_INFINITY, files: Number.NEGATIVE_INFINITY }
/** The outage that begins with the next answer to a submit. */
let nextOutage: OutageOrder | undefined

function beginOutage({ store, forMs }: OutageOrder): void {
  awayUntil[store] = clock.uptime() + forMs
  note({ what: 'outage', store, forMs: forMs / settings.clock.speed })
}

function beginNextOutage(): void {
  if (nextOutage) beginOutage(nextOutage)
  nextOutage = undefined
}

/** Fetches the files of the vendor from its real address. */
const fetchFile: FileFetch = async (url, { signal }) => {
  const response = await fetch(url.replace(vendorOrigin, vendor.address), { signal })
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}.`)
  return { body: response.body }
}

async function openBackend(): Promise<Backend> {
  const { database, redis, libsql } = places
  if (libsql) {
    const { createClient } = await import('@libsql/client/web')
    const { libsqlBackend } = await import('@genmount/backend-libsql')
    return libsqlBackend({ client: createClient({ url: libsql }), clock })
  }
  if (!isPostgres) return sqliteBackend({ file: database, clock })
  // There are hundreds of servers on SQLite. They start faster without the clients of Postgres and Redis.
  const { default: pg } = await import('pg')
  const { postgresBackend } = await import('@genmount/backend-postgres')
  const pool = new pg.Pool({ connectionString: database })
  pool.on('error', () => {})
  if (!redis) return postgresBackend({ pool, clock })
  const { Redis } = await import('ioredis')
  const { bullmqScheduler, redisSignals } = await import('@genmount/scheduler-bullmq')
  const scheduler = bullmqScheduler({ connection: { url: redis } })
  return postgresBackend({ pool, scheduler, signals: redisSignals({ client: new Redis(redis) }) })
}

function ownerLimits() {
  const storedBytes = settings.countsUploads ? 1e12 : undefined
  if (reserveUsd === undefined) return limits({ storedBytes })
  const ofEachModel = Object.fromEntries(vendorKinds.map((kind) => [kind, reserveUsd]))
  return limits({ storedBytes, balance: true }, { reserveUsd: ofEachModel })
}

const isPostgres = places.database.startsWith('postgres:')
/** From the inside out: what a store that is away does not answer, for example, is not written into the diary. */
const layers: readonly PartHooks[] = [
  diaryHooks(note, beginNextOutage),
  poisonHooks,
  killHooks(settings.killAt, places.deaths),
  settings.trouble ? troubles[settings.trouble] : {},
  outageHooks((store) => clock.uptime() < awayUntil[store]),
]
const backend = await openBackend()
const { serves, keeps }: Layout = settings.layout ?? { serves: 'main' }
const providersOf = (kind: VendorKind) => [
  vendorProvider(kind, vendor, serves),
  ...(keeps ? [vendorProvider(kind, vendor, keeps, `retired-${kind}`)] : []),
]
const files = { ...diskFiles({ folder: places.files, fetch: fetchFile }), fetch: fetchFile }
const service = createGenerationService({
  providers: vendorKinds.flatMap(providersOf).map((made) => {
    const provider = { ...made, ...(callTimeoutMs && { callTimeoutMs }) }
    return layers.reduce((part, hooks) => hooked(part, hooks.provider), provider)
  }),
  backend: { ...backend, jobs: layers.reduce((part, hooks) => hooked(part, hooks.jobs), backend.jobs) },
  files: layers.reduce((part, hooks) => hooked(part, hooks.files), files),
  plugins: [
    callbacks({ baseUrl: serviceOrigin }),
    webhooks(
      signedWebhooks({
        baseUrl: serviceOrigin,
        secretsOf: () => receiver.secret,
        fetch: receiverFetch(receiver.address),
      }),
    ),
    uploads({ retentionHours: settings.uploadHours, baseUrl: serviceOrigin }),
    ...(settings.countsUploads || reserveUsd !== undefined ? [ownerLimits()] : []),
  ],
  deadlineMs: 24 * 60 * 60_000,
  ...(!settings.followsDatabase && { clock }),
})
service.start()

const handle = toNodeHandler(service, { authenticate: apiKeys(keys), baseUrl: serviceOrigin, linkSecret })
const server = createServer(handle)
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }))
  // A killed process can not write its compile cache, so it is written now for the next process.
  module.flushCompileCache?.()
})

async function close(): Promise<void> {
  const accepting = new Promise((resolve) => server.close(resolve))
  await service.close()
  console.log('closed')
  // Clients may keep a connection open after their answer. Only idle connections are closed, because other
  // answers may still be on their way.
  const letGo = setInterval(() => server.closeIdleConnections(), 50)
  await accepting
  clearInterval(letGo)
  // A process on SQLite ends by itself. The connections to Postgres and Redis are the app's, and last.
  if (isPostgres) process.exit()
}

const commands = createInterface({ input: process.stdin })
commands.on('line', (line) => {
  if (line === 'close') return void close()
  const order = JSON.parse(line) as ServerOrder
  nextOutage = order.afterNextAnswer ? order : undefined
  if (!nextOutage) beginOutage(order)
})
// If the test itself is killed, nothing else ends this process.
commands.on('close', () => process.exit())
if ('unref' in process.stdin) process.stdin.unref()
