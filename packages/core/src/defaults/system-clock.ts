import type { Clock } from '../contracts/clock.ts'
import { longestTimerMs } from '../errors/check-option.ts'

/** The host's own clock. Its timers do not keep the process alive. */
export function systemClock(): Clock {
  return {
    now: Date.now,
    uptime: () => performance.now(),
    after: (delayMs, run) => (delayMs > longestTimerMs ? inLegs : inOne)(delayMs, run),
  }
}

function inOne(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs)
  letHostExit(timer)
  return () => clearTimeout(timer)
}

function inLegs(delayMs: number, run: () => void): () => void {
  const at = performance.now() + delayMs
  let cancel = () => {}
  const goOn = () => {
    const remainingMs = at - performance.now()
    cancel = remainingMs > longestTimerMs ? inOne(longestTimerMs, goOn) : inOne(remainingMs, run)
  }
  goOn()
  return () => cancel()
}

function letHostExit(timer: unknown): void {
  const host = globalThis as { Deno?: { unrefTimer(id: number): void } }
  // Node and Bun give an object; Deno a number; a worker a number that holds nothing open.
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  else if (typeof timer === 'number') host.Deno?.unrefTimer(timer)
}
