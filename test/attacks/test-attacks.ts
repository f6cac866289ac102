import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Runtime } from '../processes/runtimes.ts'
import type { Attack } from './attack.ts'
import { attackedProcess } from './attacked-process.ts'
import type { AttackedFigures } from './server/attacked-server.ts'
import { loopCpu } from './server/own-proc.ts'

/**
 * How long the server is used before the attack, in milliseconds: until its code is compiled and its memory
 * is stable.
 */
const warmUpMs = 250
const quietMs = 200
/**
 * The shortest time for which the honest client is watched, in milliseconds, also when the attack ends at
 * once.
 */
const leastMs = 500
/** If a server has not reported its figures after this time, in milliseconds, its event loop counts as blocked. */
const patienceMs = 5000
/**
 * How many millions of bytes any load may take: the buffers of sockets, compiled code, and garbage that is
 * not collected yet.
 */
const anyLoadMb = 100
/**
 * For how many milliseconds the event loop may be blocked, besides the time that slow memory and the runtime take, on a
 * machine that is quick; and how many yardsticks of the same server long, where that is more.
 */
const longestDelay = { ms: 100, yardsticks: 4 }
/**
 * The limits for the median times of an honest client's calls, in milliseconds. A call without an answer
 * counts too. The calls take 2 to 20 ms on an idle machine. The limits are far above that, because the
 * attack, the server and the client share two cores with everything else on the machine, and an attack lasts
 * only 1000 ms.
 */
const usual = { medianRead: 250, medianJob: 800 }
/**
 * The limit for the slowest read of an output, in milliseconds: the threads that read files may not be taken for seconds.
 * A single read, because while they are taken there is no second one.
 */
const slowestOutput = 1500
/** If the calls were already slow before the attack, they may take this many times as long during the attack. */
const slower = 10

/**
 * Runs the attack against a new server, while an honest client uses this server before and during the attack.
 * @returns the figures of the server just before the attack and since it began, and what the honest client saw before and
 * during it
 */
async function outcomeOf(runtime: Runtime, attack: Attack) {
  const { report, reset, figures, attackWith, end } = await attackedProcess(runtime, attack.settings)
  try {
    await delay(warmUpMs)
    await report()
    await delay(quietMs)
    const before = await report()
    const start = await inTime(reset())
    const [closeAll] = await Promise.all([attackWith(attack), delay(leastMs)])
    const during = await report()
    closeAll()
    return { start, end: await inTime(figures()), before, during }
  } finally {
    await end()
  }
}

function inTime(figures: Promise<AttackedFigures>): Promise<AttackedFigures> {
  const tooLong = delay(patienceMs, undefined, { ref: false }).then(() => {
    throw new Error(`The server has not answered for ${patienceMs} ms: its event loop is blocked`)
  })
  return Promise.race([figures, tooLong])
}

/** Memory that no process has used yet takes most machines 0.2 to 0.4 ms a megabyte. */
const usualMsPerMb = 0.5
const sampleMb = 40

/**
 * How many milliseconds a megabyte of new memory takes on this machine beyond the usual. A virtual machine whose host
 * hands out each page by itself takes 5 ms a megabyte (seen 2026-11-24), and a process can do nothing about it.
 */
function slowMemoryMsPerMb(): number {
  const before = loopCpu().usedMs
  Buffer.alloc(sampleMb * 1e6, 1)
  return Math.max(0, (loopCpu().usedMs - before) / sampleMb - usualMsPerMb)
}

/**
 * Declares a test for each attack.
 * @param margin how many times as long as {@link longestDelay} the event loop may be blocked
 */
export function testAttacks(
  runtime: Runtime,
  attacks: Readonly<Record<string, Attack>>,
  { margin }: { readonly margin: number },
): void {
  // A broken promise fails every time. A machine that does other work fails a limit now and then, hence the
  // retries.
  describe.each(Object.entries(attacks))(
    `on ${runtime}, %s`,
    { timeout: 20_000, retry: 2 },
    (_name, attack) => {
      test('the server spends no more memory and time on the attack than it may, and serves an honest client', async () => {
        const { start, end, before, during } = await outcomeOf(runtime, attack)
        const seen = {
          raisedMb: Math.round(end.peakRssMb - start.rssMb),
          writtenMb: Math.round(end.writtenMb - start.writtenMb),
          loopDelayMs: Math.round(end.loopDelayMs.p999),
          yardstickMs: Math.round(start.yardstickMs),
          slowMemoryMs: Math.round((end.newMemoryMb - start.newMemoryMb) * slowMemoryMsPerMb()),
          refusals: during.refusals.slice(0, 3),
          medianRead: Math.round(during.reads.median),
          medianJob: Math.round(during.jobs.median),
          slowestOutput: Math.round(during.outputs.slowest),
          served: [during.reads, during.jobs, during.outputs].every(({ count }) => count > 0),
        }
        const all = JSON.stringify(seen)
        expect.soft(seen.raisedMb, all).toBeLessThanOrEqual(attack.budgetMb + anyLoadMb)
        expect.soft(seen.writtenMb, all).toBeLessThanOrEqual(attack.writesMb ?? 100)
        if (runtime in (attack.blockedBy ?? {})) return
        const blockedMs = Math.max(longestDelay.ms, longestDelay.yardsticks * seen.yardstickMs)
        const allowedMs = margin * blockedMs + seen.slowMemoryMs + (attack.runtimeDelayMs?.[runtime] ?? 0)
        expect.soft(seen.loopDelayMs, all).toBeLessThan(allowedMs)
        expect.soft(seen.refusals, all).toEqual([])
        expect.soft(seen.served, all).toBe(true)
        expect
          .soft(seen.medianRead, all)
          .toBeLessThan(Math.max(usual.medianRead, slower * before.reads.median))
        expect.soft(seen.slowestOutput, all).toBeLessThan(slowestOutput + seen.slowMemoryMs)
        // On a slow machine the second of an attack is one or two jobs long, so the first of them waits for all new memory.
        const allowedJobMs = Math.max(usual.medianJob, slower * before.jobs.median) + seen.slowMemoryMs
        expect.soft(seen.medianJob, all).toBeLessThan(allowedJobMs)
      })
    },
  )
}
