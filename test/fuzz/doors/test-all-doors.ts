import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { test } from 'vitest'
import { keyOf } from '../../attacks/connections.ts'
import { startHonestClient } from '../../attacks/start-honest-client.ts'
import type { Runtime } from '../../processes/runtimes.ts'
import { launchServer, scriptCommand } from '../../processes/start-server.ts'
import type { DoorsFigures, DoorsSettings } from './doors-server.ts'
import { faultOfAnswers, faultOfLogLine } from './faults.ts'
import { canary, mutation } from './mutations.ts'
import { hear, runSequence } from './run-sequence.ts'
import { bytesOf, manners, sentBy } from './sending.ts'
import { type Heard, validRequest } from './valid-requests.ts'

const script = new URL('doors-server.ts', import.meta.url)
const clientCount = 16
/** Of so many clients one goes through sequences of valid requests. */
const honestPart = 4
/** How many plans are made at a time. */
const batch = 20
const warmUpMs = 500
/** If the server does not tell its figures within this time, in milliseconds, its event loop counts as blocked. */
const patienceMs = 10_000
const maxFaults = 3

/**
 * The longest time for which a due timer may have to wait while the server computes, in milliseconds, or as a multiple of a
 * fixed computation of the same server; and the same for 999 of 1,000 timers.
 */
const longestDelay = { ms: 1000, yardsticks: 20 }
const usualDelay = { ms: 250, yardsticks: 6 }
/** The limit for the median time of an honest client's reads, in milliseconds, and how many times as long as before. */
const honestRead = { ms: 500, times: 20 }
/** From the second third of a run to the last, the memory may grow by this many millions of bytes, or by this part. */
const growth = { mb: 60, part: 0.25 }
/** A run that is shorter shows no growth: memory grows while code is compiled. */
const leastSecondsForGrowth = 60
/** How many files and sockets may be open at the end beyond those at the start. */
const moreHandles = 60

const secretsOf = () => {
  const owners = ['alice', 'bob', 'limited', 'honest']
  const settings = {
    keys: Object.fromEntries(owners.map((owner) => [owner, keyOf(owner)])),
    linkSecret: 'link-secret-of-all-doors-0b1c2d3e4f',
    webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqr',
  } satisfies Omit<DoorsSettings, 'folder'>
  return { settings, secrets: [...Object.values(settings.keys), settings.linkSecret, settings.webhookSecret] }
}

const lot = fc.nat(9999).map((number) => number / 10_000)
const plans = fc.record({
  lots: fc.record({ kind: lot, id: lot, owner: lot, input: lot }),
  mutations: fc.array(mutation, { maxLength: 3 }),
  manner: manners,
})

/** Starts the server with everything switched on, and an honest client. */
async function startDoors(runtime: Runtime) {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-doors-'))
  const { settings, secrets } = secretsOf()
  const logFile = join(folder, 'log')
  const command = scriptCommand(runtime, script, JSON.stringify({ ...settings, folder }))
  const { process, origin, greeting } = await launchServer(command, { logFile })
  const client = startHonestClient(origin)
  const tooLong = () =>
    delay(patienceMs, undefined, { ref: false }).then((): never => {
      throw new Error(`The server has not answered for ${patienceMs} ms: its event loop is blocked`)
    })
  return {
    origin,
    port: greeting.port,
    keys: ['alice', 'bob', 'limited'].map(keyOf),
    secrets,
    client,
    hasEnded: () => process.hasEnded,
    logLines: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n') : []),
    async ask(line: 'figures' | 'reset'): Promise<DoorsFigures> {
      return JSON.parse(await Promise.race([process.ask(line), tooLong()])) as DoorsFigures
    },
    async end() {
      await client.end()
      await process.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Attacks all doors at once for a time. @returns what was wrong, and the figures of the server, one for each second */
async function storm(doors: Awaited<ReturnType<typeof startDoors>>, seed: number, seconds: number) {
  const { origin, port, keys, secrets } = doors
  const heard: Heard = { jobs: [], uploads: [], links: [], callbacks: [] }
  const faults: string[] = []
  const samples: DoorsFigures[] = []
  const statuses: Record<string, number> = {}
  const endsAt = performance.now() + seconds * 1000
  const isOver = () => performance.now() >= endsAt || faults.length >= maxFaults || doors.hasEnded()

  function inspect(answer: string, request: string): void {
    const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'none'
    statuses[status] = (statuses[status] ?? 0) + 1
    const fault = faultOfAnswers(answer, secrets)
    if (fault !== undefined)
      faults.push(
        `${fault} in ${JSON.stringify(answer.slice(0, 1000))} to ${JSON.stringify(request.slice(0, 3000))}`,
      )
  }

  async function attack(client: number): Promise<void> {
    for (let turn = 0; !isOver(); turn++) {
      for (const { lots, mutations, manner } of fc.sample(plans, {
        seed: seed + client + turn * clientCount,
        numRuns: batch,
      })) {
        if (isOver()) return
        const valid = validRequest(heard, keys, lots)
        const request = mutations.reduce((changed, change) => change(changed), valid)
        inspect(await sentBy(port, request, manner), bytesOf(request, manner).toString('latin1'))
      }
    }
  }

  async function goThrough(client: number): Promise<void> {
    for (let turn = 0; !isOver(); turn++) {
      const [ending = 0] = fc.sample(lot, { seed: seed + client + turn * clientCount, numRuns: 1 })
      await runSequence(origin, keys[(client / honestPart) % 2]!, heard, ending, inspect)
    }
  }

  async function watch(): Promise<void> {
    while (!isOver()) {
      const figures = await doors.ask('figures')
      samples.push(figures)
      for (const url of figures.callbackUrls) hear(heard.callbacks, new URL(url).pathname)
      await delay(Math.min(1000, Math.max(0, endsAt - performance.now())))
    }
  }

  const clients = Array.from({ length: clientCount }, (_, client) =>
    client % honestPart === 0 ? goThrough(client) : attack(client),
  )
  await Promise.all([watch(), ...clients])
  const tokens = [...heard.callbacks, ...heard.links].map((path) => path.split('/').at(-1)!)
  return { faults, samples, statuses, tokens }
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

/** The median of the memory in each third of a run, in millions of bytes. */
function memoryByThirds(samples: readonly DoorsFigures[]): readonly [number, number, number] {
  const third = (index: number) => {
    const [from, to] = [index, index + 1].map((end) => Math.floor((samples.length * end) / 3))
    return Math.round(medianOf(samples.slice(from, to).map(({ rssMb }) => rssMb)))
  }
  return [third(0), third(1), third(2)]
}

/**
 * Declares the test that sends valid and mutated requests to all doors of a server at once. The tests of several runtimes
 * run at once: the limits count only the time in which a server computes. `DOORS_SECONDS=60 DOORS_SEED=7` makes it last
 * 60 s on each runtime, with the same plans each time.
 * @param usualSeconds how long it lasts without `DOORS_SECONDS`
 */
export function testAllDoors(runtime: Runtime, usualSeconds: number): void {
  const seconds = Number(process.env['DOORS_SECONDS'] ?? usualSeconds)
  const title = `a server on ${runtime} with everything switched on answers mutated requests at all doors with no 500 and no secret, writes no secret and no control character to its log, does not grow, and stays quick for an honest client`
  test.concurrent(title, { timeout: seconds * 3000 + 120_000 }, async ({ expect }) => {
    const seed = Number(process.env['DOORS_SEED'] ?? Date.now() % 1_000_000)
    const all = `DOORS_SEED=${seed} DOORS_SECONDS=${seconds} on ${runtime}`
    const doors = await startDoors(runtime)
    try {
      await delay(warmUpMs)
      const before = await doors.client.report()
      const start = await doors.ask('reset')
      const { faults, samples, statuses, tokens } = await storm(doors, seed, seconds)
      const during = await doors.client.report()
      const { loopDelayMs, handles } = await doors.ask('figures')
      const thirds = memoryByThirds(samples)
      const logSecrets = [...doors.secrets, canary, ...tokens]
      const lines = doors.logLines()
      const wrongLines = lines.flatMap((line) => {
        const fault = faultOfLogLine(line, logSecrets)
        return fault === undefined ? [] : [`${fault}: ${JSON.stringify(line.slice(0, 1000))}`]
      })
      const figures = {
        thirds,
        loopDelayMs,
        handles: [start.handles, handles],
        reads: [before.reads, during.reads],
      }
      const seen = `${all}: ${JSON.stringify({ ...figures, statuses, logLines: lines.length })}`
      console.log(seen)
      expect.soft(faults, all).toEqual([])
      expect.soft(wrongLines.slice(0, maxFaults), all).toEqual([])
      expect.soft(statuses['200'], seen).toBeGreaterThan(0)
      const { yardstickMs = 0 } = start
      expect
        .soft(loopDelayMs.max, seen)
        .toBeLessThan(Math.max(longestDelay.ms, longestDelay.yardsticks * yardstickMs))
      expect
        .soft(loopDelayMs.p999, seen)
        .toBeLessThan(Math.max(usualDelay.ms, usualDelay.yardsticks * yardstickMs))
      const readMs = Math.max(honestRead.ms, honestRead.times * before.reads.median)
      expect.soft(during.reads.count, seen).toBeGreaterThan(0)
      expect.soft(during.reads.median, seen).toBeLessThan(readMs)
      expect
        .soft(
          during.refusals.filter((refusal) => / 5\d\d /.test(refusal)),
          seen,
        )
        .toEqual([])
      expect.soft(handles, seen).toBeLessThan(start.handles + moreHandles)
      if (seconds < leastSecondsForGrowth) return
      const [, second, last] = thirds
      expect.soft(last - second, seen).toBeLessThan(Math.max(growth.mb, growth.part * second))
    } finally {
      await doors.end()
    }
  })
}
