/**
 * Runs all attacks against one server, two at a time, for the number of minutes in its argument: `npm run test:attacks
 * -- --minutes 10 --runtime bun`. It prints a line every half minute. At the end, when no attack is running any more,
 * it prints the memory and the handles of the server, and how many jobs of an honest client were lost.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import { attacks } from './cases/attacks.ts'
import { keyOf } from './server/keys.ts'
import type { Figures } from './server/own-figures.ts'
import type { Attack } from './world/attack.ts'
import { connectionsTo } from './world/connections.ts'
import type { HonestFigures } from './world/honest-client.ts'
import { observedClient } from './world/observed-client.ts'
import { defaultMs } from './world/run-attack.ts'
import { startServer } from './world/started-server.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '1' }, runtime: { type: 'string', default: 'node' } },
})
const minutes = Number(values.minutes)
if (!(minutes > 0 && minutes <= 24 * 60)) throw new TypeError('--minutes must be a number up to 1440.')
if (!(values.runtime in runtimes)) throw new TypeError('--runtime must be node, deno or bun.')

const linesAtATime = 2
const reportEveryMs = 30_000
/** How long the server gets at the end to collect garbage and close connections, in milliseconds. */
const restMs = 5000

const all = Object.values(attacks)
const settings = Object.assign({}, ...all.map((attack) => attack.settings)) as Attack['settings']
const server = await startServer(values.runtime as Runtime, settings)
const client = observedClient(server.port)
const endsAt = performance.now() + minutes * 60_000
const jobIds: string[] = []
let refused = 0

/** Runs one attack after the other, beginning with the attack number `offset`. */
async function attackFrom(offset: number): Promise<void> {
  for (let turn = offset; performance.now() < endsAt; turn++) {
    const attack = all[turn % all.length] as Attack
    const connections = connectionsTo(server.port)
    const time = new AbortController()
    const over = delay(attack.forMs ?? defaultMs).then(() => time.abort())
    await attack.run({ connections, over, isOver: () => time.signal.aborted }).catch((error: unknown) => {
      console.log(`  an attack could not be made: ${String(error)}`)
    })
    connections.closeAll()
  }
}

function tell(what: string, figures: Figures, honest: HonestFigures): void {
  jobIds.push(...honest.jobIds)
  refused += honest.refusals.length
  const { rssMb, peakRssMb, handles, loopDelayMs } = figures
  const numbers = {
    'memory, MB': rssMb,
    'its peak': peakRssMb,
    handles,
    'loop p99.9, ms': loopDelayMs.p999,
    'longest delay': loopDelayMs.max,
    'honest reads': honest.reads.count,
    'median, ms': honest.reads.median,
    'honest jobs': honest.jobs.count,
    'their median': honest.jobs.median,
    'not served': honest.refusals.length,
  }
  console.log(`${what}:`, ...Object.entries(numbers).map(([name, value]) => `${name} ${Math.round(value)};`))
  for (const refusal of honest.refusals.slice(0, 2)) console.log(`  ${refusal}`)
}

/** How many of the jobs that were acknowledged to the honest client can not be read any more. */
async function lostJobs(): Promise<number> {
  let lost = 0
  for (const id of jobIds) {
    const headers = { authorization: `Bearer ${keyOf('honest')}` }
    const response = await fetch(`http://127.0.0.1:${server.port}/v1/jobs/${id}`, { headers })
    const job = (await response.json()) as { status: string }
    if (response.status !== 200 || job.status !== 'completed') lost++
  }
  return lost
}

try {
  await delay(restMs)
  tell('before', await server.reset(), await client.report())
  const attacking = Promise.all(
    Array.from({ length: linesAtATime }, (_, line) =>
      attackFrom(Math.floor((line * all.length) / linesAtATime)),
    ),
  )
  while (performance.now() < endsAt) {
    await delay(Math.min(reportEveryMs, Math.max(0, endsAt - performance.now())))
    const minute = (minutes - (endsAt - performance.now()) / 60_000).toFixed(1)
    tell(`minute ${minute}`, await server.reset(), await client.report())
  }
  await attacking
  await delay(restMs)
  tell('afterwards', await server.figures(), await client.report())
  console.log(`${jobIds.length} honest jobs made, ${await lostJobs()} lost, ${refused} calls not served.`)
} finally {
  await client.stop()
  await server.kill()
}
process.exit(0)
