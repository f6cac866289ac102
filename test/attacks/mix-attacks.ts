/**
 * Runs all attacks against one server, two at a time, for the number of minutes in its argument: `npm run test:attacks
 * -- --minutes 10 --runtime bun`. It prints a line every half minute. At the end, when no attack is running any more,
 * it prints the memory and the handles of the server, and how many jobs of an honest client were lost.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import type { Attack } from './attack.ts'
import { attackedProcess } from './attacked-process.ts'
import { attacks } from './cases/attacks.ts'
import { keyOf } from './connections.ts'
import type { Figures } from './server/own-figures.ts'

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

const all: readonly Attack[] = Object.values(attacks)
const settings = Object.assign({}, ...all.map((attack) => attack.settings)) as Attack['settings']
const { client, attackWith, origin, ...server } = await attackedProcess(values.runtime as Runtime, settings)
const endsAt = performance.now() + minutes * 60_000
const jobIds: string[] = []
let refused = 0

/** Runs one attack after the other, beginning with the attack number `offset`. */
async function attackFrom(offset: number): Promise<void> {
  for (let turn = offset; performance.now() < endsAt; turn++)
    await attackWith(all[turn % all.length]!).then(
      (closeAll) => closeAll(),
      (error: unknown) => console.log(`  an attack could not be made: ${String(error)}`),
    )
}

async function tell(what: string, { rssMb, peakRssMb, handles, loopDelayMs }: Figures): Promise<void> {
  const honest = await client.report()
  jobIds.push(...honest.jobIds)
  refused += honest.refusals.length
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
    const response = await fetch(`${origin}/v1/jobs/${id}`, { headers })
    const job = (await response.json()) as { status: string }
    if (response.status !== 200 || job.status !== 'completed') lost++
  }
  return lost
}

try {
  await delay(restMs)
  await tell('before', await server.reset())
  const offsets = Array.from({ length: linesAtATime }, (_, line) =>
    Math.floor((line * all.length) / linesAtATime),
  )
  const attacking = Promise.all(offsets.map(attackFrom))
  while (performance.now() < endsAt) {
    await delay(Math.min(reportEveryMs, Math.max(0, endsAt - performance.now())))
    const minute = (minutes - (endsAt - performance.now()) / 60_000).toFixed(1)
    await tell(`minute ${minute}`, await server.reset())
  }
  await attacking
  await delay(restMs)
  await tell('afterwards', await server.figures())
  console.log(`${jobIds.length} honest jobs made, ${await lostJobs()} lost, ${refused} calls not served.`)
} finally {
  await server.end()
}
process.exit(0)
