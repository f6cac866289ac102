/**
 * The attacked server, a script that runs in its own process on any runtime. Its one argument is
 * `AttackedSettings` as JSON. It prints `{ "port": 1234 }` when it listens, and its figures for each line
 * that it reads. The line `reset` also starts the measuring of peaks again. It runs until it is killed.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toNodeHandler } from '@genmount/node-http'
import { type AttackedSettings, attackedService } from './attacked-service.ts'
import { ownFigures } from './own-figures.ts'

type Handler = (request: Request) => Promise<Response>

interface Hosts {
  readonly Bun?: {
    serve(options: { fetch: Handler; hostname: string; port: number; idleTimeout: number }): { port: number }
  }
  readonly Deno?: {
    serve(
      options: { hostname: string; port: number; onListen: (address: { port: number }) => void },
      handler: Handler,
    ): unknown
  }
}

const { service, keys } = await attackedService(JSON.parse(process.argv[2] ?? '{}') as AttackedSettings)
const options = { authenticate: apiKeys(keys) }
const figures = ownFigures()
const print = (value: unknown) => console.log(JSON.stringify(value))
const { Bun, Deno } = globalThis as Hosts
const [hostname, port] = ['127.0.0.1', 0]

if (Deno) {
  const onListen = (address: { port: number }) => print({ port: address.port })
  Deno.serve({ hostname, port, onListen }, toFetchHandler(service, options))
} else if (Bun) {
  const server = Bun.serve({ hostname, port, idleTimeout: 60, fetch: toFetchHandler(service, options) })
  print({ port: server.port })
} else {
  const server = createServer(toNodeHandler(service, options))
  server.listen(port, hostname, () => print({ port: (server.address() as AddressInfo).port }))
}
service.start()

for await (const command of createInterface({ input: process.stdin })) {
  print(figures.now())
  if (command === 'reset') figures.reset()
}
