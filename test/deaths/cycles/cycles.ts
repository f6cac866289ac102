/** Starts and stops many services in one process, and prints what the process holds after the first 20 and at the end. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, type GenerationService, type Provider } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { descriptors, takeStock } from './holdings.ts'

const [, , folder = '', cycles = '0'] = process.argv
/** After this many services the process has made everything that it makes once and keeps. */
const warmUp = 20
const aliceKey = crypto.randomUUID()

const provider: Provider = {
  name: 'at-once',
  models: [
    {
      id: 'at-once',
      outputKind: 'image',
      input: {
        '~standard': { version: 1, vendor: 'cycles', validate: (value) => ({ value: value as object }) },
      },
    },
  ],
  submit: async () => ({ state: 'succeeded', outputs: [{ bytes: new Uint8Array(1000).fill(7) }] }),
  poll: async () => ({ state: 'failed', code: 'provider_lost', message: 'There is no such task.' }),
}

function create(server: Server, wait: boolean): Promise<{ status: number; body: string }> {
  const { port } = server.address() as AddressInfo
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(`http://127.0.0.1:${port}/v1/generate?wait=${wait}`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${aliceKey}`, 'content-type': 'application/json' },
  })
    .on('response', resolve)
    .on('error', reject)
    .end(JSON.stringify({ model: 'at-once', prompt: 'a fox' }))
  return promise.then(async (response) => ({
    status: response.statusCode ?? 0,
    body: await text(response),
  }))
}

async function cycle(number: number): Promise<void> {
  const service = createGenerationService({
    providers: [provider],
    backend: sqliteBackend({ file: join(folder, 'jobs.db') }),
    files: diskFiles({ folder: join(folder, 'files') }),
  })
  const server = createServer(toNodeHandler(service, { authenticate: apiKeys({ alice: aliceKey }) }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  await endings[number % endings.length]?.(service, server)
  server.close()
  await Promise.all([service.close(), service.close()])
  await service.close()
  server.closeAllConnections()
  const left = descriptors().filter((path) => path.startsWith(folder))
  if (left.length > 0) throw new Error(`Closed, and it holds ${left}`)
}

/** What happens between start and stop. */
const endings: readonly ((service: GenerationService, server: Server) => Promise<void>)[] = [
  async function closedBeforeItStarts() {},

  async function closedAsItStarts(service) {
    service.start()
  },

  async function waitedFor(_service, server) {
    const { status, body } = await create(server, true)
    if (status !== 200) throw new Error(`${status} ${body}`)
  },

  async function closedDuringCreates(service, server) {
    const creates = Array.from({ length: 5 }, () => create(server, true))
    await Promise.race(creates)
    const more = Array.from({ length: 5 }, () => create(server, false))
    const closed = service.close()
    for (const { status, body } of await Promise.all([...creates, ...more]))
      if (![200, 202, 503].includes(status)) throw new Error(`${status} ${body}`)
    await closed
  },
]

for (let number = 0; number < warmUp; number++) await cycle(number)
const early = await takeStock()
for (let number = 0; number < Number(cycles); number++) await cycle(number)
console.log(JSON.stringify([early, await takeStock()]))
