/**
 * A server process with a service as an app would mount it. Made for the test are only its parts, which may
 * kill the process, and the commands that it reads from standard input, one per line.
 */
import { createServer } from 'node:http'
import module from 'node:module'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { createGenerationService, type Job } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { signedWebhooks } from '@genmount/webhooks'
import { receiverFetch } from '../receiver/receiver.ts'
import { vendorKinds } from '../vendor/task-wish.ts'
import { vendorFetch } from '../vendor/vendor-fetch.ts'
import { vendorProvider } from '../vendor/vendor-provider.ts'
import { diaryIn, tellingBackend, tellingFiles, tellingProvider } from './diary.ts'
import { fastClock } from './fast-clock.ts'
import { dieAt } from './kill-points.ts'
import { mortalBackend, mortalFiles, mortalProvider } from './mortal-parts.ts'
import { openBackend } from './open-backend.ts'
import { outagesBy } from './outages.ts'
import { tellWaits } from './tell-waits.ts'
import { type OutageOrder, type ServerSettings, serviceOrigin } from './server-settings.ts'

const { places, vendor, receiver, keys, linkSecret, ...settings } = JSON.parse(
  process.argv[2] ?? '',
) as ServerSettings
const clock = fastClock(settings.clock)
const die = dieAt(settings.killAt, places.deaths)
const fetch = vendorFetch(vendor.address)
const disk = diskFiles({ folder: places.files, fetch })
const outages = outagesBy(clock)
const note = diaryIn(places.diary)
tellWaits((forMs) => note({ what: 'waited', forMs }))
/** The outage that begins with the next answer to a submit. */
let nextOutage: OutageOrder | undefined

function beginOutage({ store, forMs }: OutageOrder): void {
  outages.begin(store, forMs)
  note({ what: 'outage', store, forMs: forMs / settings.clock.speed })
}

function tell(what: 'submit' | 'answer' | 'found' | 'not found', jobId: string): void {
  note({ what, jobId })
  if (what !== 'answer') return
  if (nextOutage) beginOutage(nextOutage)
  nextOutage = undefined
}

function tellWrite({ id, phase, revision, abandonedClaims: deaths = 0 }: Job): void {
  note({ what: 'write', jobId: id, phase, revision, deaths })
}

function tellDeleted(jobId: string): void {
  note({ what: 'row deleted', jobId })
}

function tellFile(what: 'file stored' | 'file deleted', key: string): void {
  note({ what, jobId: key.replace(/-\d+$/, ''), key })
}

const service = createGenerationService({
  providers: vendorKinds.map((kind) =>
    mortalProvider(tellingProvider(vendorProvider(kind, vendor), tell), die),
  ),
  backend: outages.backend(
    mortalBackend(tellingBackend(await openBackend(places, clock), tellWrite, tellDeleted), die),
  ),
  files: outages.files(mortalFiles({ ...tellingFiles(disk, tellFile), fetch }, die)),
  callbackBaseUrl: serviceOrigin,
  webhooks: signedWebhooks({
    baseUrl: serviceOrigin,
    secretsOf: () => receiver.secret,
    fetch: receiverFetch(receiver.address),
  }),
  uploads: { retentionHours: settings.uploadHours },
  ...(settings.countsUploads && { limits: { storedBytes: 1e12 } }),
  deadlineMs: 24 * 60 * 60_000,
  clock,
})
service.start()

const handle = toNodeHandler(service, { authenticate: apiKeys(keys), baseUrl: serviceOrigin, linkSecret })
const server = createServer(handle)
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  // A killed process can not write its compile cache, so it is written now for the next process.
  module.flushCompileCache?.()
})

async function close(): Promise<void> {
  const accepting = new Promise((resolve) => server.close(resolve))
  await service.close()
  // Clients may keep a connection open after their answer. Only idle connections are closed, because other
  // answers may still be on their way.
  setInterval(() => server.closeIdleConnections(), 50)
  await accepting
  process.exit()
}

const commands = createInterface({ input: process.stdin })
commands.on('line', (line) => {
  if (line === 'close') return void close()
  const order = JSON.parse(line) as OutageOrder
  nextOutage = order.afterNextAnswer ? order : undefined
  if (!nextOutage) beginOutage(order)
})
// If the test itself is killed, nothing else ends this process.
commands.on('close', () => process.exit())
