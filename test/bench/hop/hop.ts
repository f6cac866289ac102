import assert from 'node:assert/strict'
import type { Bench, BenchResult } from '../bench.ts'
import { full, roundsOf } from '../bench.ts'
import { atMost, inRounds, ratioOf, row, type Spread, spreadOf, spreadRow, table } from '../figures.ts'
import { type Load, putLoad } from '../http/load.ts'
import { installPeers } from '../installed-peers.ts'
import { type Measured, startMeasured } from '../measured-process.ts'
import { apiKey } from '../workload.ts'
import { loadOf } from './requests.ts'
import type { HopCalls } from './servers/hop-calls.ts'

const rounds = roundsOf(4)
const requests = full(800)
/** Some code is compiled only after thousands of calls. */
const warmUpRounds = roundsOf(4)

const what = `Each server is a process of its own on one core. Behind it stands a server that answers as OpenAI does, at
once, with a picture of 65,000 bytes in base64. Each request of 8 connections waits for its picture. The figures are the
CPU time of the server for one request, with all its threads; the rounds take the servers in turn. The proxy, the
handler with Hono and the AI SDK, and the gateway of Portkey store nothing, and answer with the base64. genmount stores
the job and the file, and answers with a link.`

const servers = [
  { name: 'proxy', label: 'proxy of node:http', script: 'peers', kind: 'proxy' },
  { name: 'handler', label: 'handler with Hono and the AI SDK', script: 'peers', kind: 'handler' },
  { name: 'gateway', label: 'gateway of Portkey', script: 'peers', kind: 'gateway' },
  { name: 'memory', label: 'genmount, memory', script: 'genmount', kind: 'memory' },
  { name: 'durable', label: 'genmount, SQLite and disk', script: 'genmount', kind: 'durable' },
] as const
type Server = Measured<HopCalls> & { readonly load: Load }

async function start(script: string, kind: string, vendorUrl: string): Promise<Server> {
  const file = new URL(`servers/${script}.ts`, import.meta.url)
  const server = startMeasured<HopCalls>(file, {}, kind, vendorUrl)
  return { ...server, load: loadOf(await server.ask('url'), vendorUrl) }
}

/** The CPU time of one request in microseconds. */
async function measure(server: Server): Promise<number> {
  const before = await server.ask('cpuMs')
  await putLoad(server.load, { amount: requests })
  const after = await server.ask('cpuMs')
  await server.ask('clear')
  return ((after - before) * 1000) / requests
}

/** @throws AssertionError when a server does not answer with a picture */
async function check({ load }: Server): Promise<void> {
  const { url, paths, body = '' } = load
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...load.headers }
  const answer = await (await fetch(url + paths[0], { method: 'POST', headers, body })).json()
  assert.equal(answer.data?.length, 1, JSON.stringify(answer).slice(0, 500))
}

async function run(): Promise<BenchResult> {
  await installPeers()
  const started: Pick<Server, 'stop'>[] = []
  try {
    const vendor = startMeasured<HopCalls>(new URL('servers/openai.ts', import.meta.url), {
      onAllCores: true,
    })
    const vendorUrl = await vendor.ask('url')
    started.push(vendor)
    const measured: Server[] = []
    for (const { script, kind } of servers) {
      const server = await start(script, kind, vendorUrl)
      started.push(server)
      measured.push(server)
      await check(server)
      for (let round = 0; round < warmUpRounds; round++) await measure(server)
    }
    return resultOf(await inRounds(rounds, measured, measure))
  } finally {
    await Promise.all(started.map((server) => server.stop()))
  }
}

function resultOf(samples: readonly (readonly number[])[]): BenchResult {
  const of = (name: string) => samples[servers.findIndex((server) => server.name === name)]!
  const against = (name: string): Spread => ratioOf(of(name), of('handler'))
  const { median: memoryUs } = spreadOf(of('memory'))
  const { median: durableUs } = spreadOf(of('durable'))
  const rows = [
    row('genmount with memory, CPU for one picture in us', memoryUs.toFixed(0), memoryUs, atMost(900)),
    row('genmount with SQLite and disk', durableUs.toFixed(0), durableUs, atMost(1300)),
    spreadRow('genmount with memory, against a handler with Hono and the AI SDK', against('memory')),
    spreadRow('genmount with SQLite and disk, against the same', against('durable')),
  ]
  const lines = servers.map(({ name, label }) => {
    const { median, min, max } = spreadOf(of(name))
    return [label, ...[median, min, max].map((us) => us.toFixed(0)), against(name).median.toFixed(2)]
  })
  const heads = ['one picture through', 'CPU, us: median', 'least', 'most', 'ratio to the handler']
  return { rows, notes: `${table(heads, lines)}\n\n${what}` }
}

/** Measures what a picture costs that comes in base64 in the answer of a vendor. */
export const bench: Bench = { title: 'A hop: a picture from OpenAI to a client', run }
