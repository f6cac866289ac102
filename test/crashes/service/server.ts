/** A service as an app would mount it. Its parts may kill it; nothing else about it is made for the test. */
import { createServer } from 'node:http'
import module from 'node:module'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { vendorKinds } from '../vendor/task-wish.ts'
import { vendorFetch } from '../vendor/vendor-fetch.ts'
import { vendorProvider } from '../vendor/vendor-provider.ts'
import { fastClock } from './fast-clock.ts'
import { dieAt } from './kill-points.ts'
import { mortalBackend, mortalFiles, mortalProvider } from './mortal-parts.ts'
import { type ServerSettings, serviceOrigin } from './server-settings.ts'

const { places, vendor, keys, linkSecret, ...settings } = JSON.parse(process.argv[2] ?? '') as ServerSettings
const clock = fastClock(settings.clock)
const die = dieAt(settings.killAt, places.deaths)
const fetch = vendorFetch(vendor.address)

const service = createGenerationService({
  providers: vendorKinds.map((kind) => mortalProvider(vendorProvider(kind, vendor), die)),
  backend: mortalBackend(sqliteBackend({ file: places.database, clock }), die),
  files: mortalFiles({ ...diskFiles({ folder: places.files, fetch }), fetch }, die),
  deadlineMs: 24 * 60 * 60_000,
  clock,
})
service.start()

const handle = toNodeHandler(service, { authenticate: apiKeys(keys), baseUrl: serviceOrigin, linkSecret })
const server = createServer(handle)
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  // Who is killed writes no cache at its end, and the next one should not have to compile everything again.
  module.flushCompileCache?.()
})

// Should the test itself be killed, nobody else would end this process.
process.stdin.on('end', () => process.exit()).resume()
