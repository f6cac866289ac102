/** A server process with a service as an app would mount it. It prints events and reads commands, one per line. */
import { createServer } from 'node:http'
import module from 'node:module'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { type Clock, createGenerationService } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fastClock } from '../../crashes/service/fast-clock.ts'
import { serviceOrigin } from '../../crashes/service/server-settings.ts'
import { vendorKinds } from '../../crashes/vendor/task-wish.ts'
import { vendorFetch } from '../../crashes/vendor/vendor-fetch.ts'
import { vendorProvider } from '../../crashes/vendor/vendor-provider.ts'
import type { ServiceSettings } from './service-settings.ts'
import { type Parts, tellingLateWrites, troubles } from './troubles.ts'

const settings = JSON.parse(process.argv[2] ?? '') as ServiceSettings
const { places, vendor, aliceKey, linkSecret, trouble } = settings
let shown = fastClock(settings.clock)
const clock: Clock = {
  now: () => shown.now(),
  uptime: () => shown.uptime(),
  after: (delayMs, run) => shown.after(delayMs, run),
}
const fetch = vendorFetch(vendor.address)
const backend = sqliteBackend({ file: places.database, clock })

const parts: Parts = {
  providers: vendorKinds.map((kind) => vendorProvider(kind, vendor)),
  backend: tellingLateWrites(backend, (jobId) => console.log(`late ${jobId}`)),
  files: { ...diskFiles({ folder: places.files, fetch }), fetch },
}
const service = createGenerationService({
  ...(trouble ? troubles[trouble](parts) : parts),
  deadlineMs: 24 * 60 * 60_000,
  clock,
})
service.start()

const server = createServer(
  toNodeHandler(service, { authenticate: apiKeys({ alice: aliceKey }), baseUrl: serviceOrigin, linkSecret }),
)
server.listen(0, '127.0.0.1', () => {
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  // A process that is killed does not write the compile cache at its end, and the next process would compile everything.
  module.flushCompileCache()
})

async function close(): Promise<void> {
  const accepting = new Promise((resolve) => server.close(resolve))
  await service.close()
  console.log('closed')
  // Clients keep their connections after an answer. All of them can't be closed at once, because the last answers may still
  // be on their way.
  const letGo = setInterval(() => server.closeIdleConnections(), 50)
  await accepting
  clearInterval(letGo)
}

const commands = createInterface({ input: process.stdin })
commands.on('line', (line) => {
  const [command = '', ...rest] = line.split(' ')
  if (command === 'close') void close()
  if (command === 'clock') shown = fastClock(JSON.parse(rest.join(' ')))
})
// If the test itself is killed, nothing else ends this process.
commands.on('close', () => process.exit())
if ('unref' in process.stdin) process.stdin.unref()
