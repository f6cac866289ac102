import { describe, expect, test } from 'vitest'
import { attacks } from './cases/attacks.ts'
import type { Attack } from './world/attack.ts'
import { runAttack } from './world/run-attack.ts'
import { slowMemoryMsPerMb } from './world/slow-memory.ts'

/**
 * How many millions of bytes any load may take: the buffers of sockets, compiled code, and garbage that is
 * not collected yet.
 */
const anyLoadMb = 100
/** For how many milliseconds the event loop may be blocked, besides the time that slow memory and the runtime take. */
const longestDelayMs = 100
/**
 * The limits for the median times of an honest client's calls, in milliseconds. A call without an answer
 * counts too. The calls take 2 to 20 ms on an idle machine. The limits are far above that, because the
 * attack, the server and the client share two cores with everything else on the machine, and an attack lasts
 * only 1000 ms.
 */
const usual = { medianRead: 250, medianJob: 800 }
/** If the calls were already slow before the attack, they may take this many times as long during the attack. */
const slower = 10

describe.each(['node', 'bun', 'deno'] as const)('on %s', (runtime) => {
  describe.each(Object.entries<Attack>(attacks))('%s', (_name, attack) => {
    // A broken promise fails every time. A machine that does other work fails a limit now and then, hence the
    // retries.
    test('takes no more than its share', { timeout: 20_000, retry: 2 }, async () => {
      const { raisedMb, newMemoryMb, writtenMb, figures, before, during } = await runAttack(runtime, attack)
      const seen = {
        raisedMb: Math.round(raisedMb),
        writtenMb: Math.round(writtenMb),
        loopDelayMs: Math.round(figures.loopDelayMs.p999),
        slowMemoryMs: Math.round(newMemoryMb * slowMemoryMsPerMb()),
        refusals: during.refusals.slice(0, 3),
        medianRead: Math.round(during.reads.median),
        medianJob: Math.round(during.jobs.median),
        served: during.reads.count > 0 && during.jobs.count > 0,
      }
      const told = JSON.stringify(seen)
      expect.soft(seen.raisedMb, told).toBeLessThanOrEqual(attack.budgetMb + anyLoadMb)
      expect.soft(seen.writtenMb, told).toBeLessThanOrEqual(attack.writesMb ?? 100)
      if (runtime in (attack.blockedBy ?? {})) return
      const allowedMs = longestDelayMs + seen.slowMemoryMs + (attack.runtimeDelayMs?.[runtime] ?? 0)
      expect.soft(seen.loopDelayMs, told).toBeLessThan(allowedMs)
      expect.soft(seen.refusals, told).toEqual([])
      expect.soft(seen.served, told).toBe(true)
      expect
        .soft(seen.medianRead, told)
        .toBeLessThan(Math.max(usual.medianRead, slower * before.reads.median))
      // On a slow machine the second of an attack is one or two jobs long, so the first of them waits for all new memory.
      const allowedJobMs = Math.max(usual.medianJob, slower * before.jobs.median) + seen.slowMemoryMs
      expect.soft(seen.medianJob, told).toBeLessThan(allowedJobMs)
    })
  })
})
