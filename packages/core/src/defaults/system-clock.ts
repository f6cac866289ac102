import type { Clock } from '../contracts/clock.ts'
import { longestTimerMs } from '../errors/check-option.ts'

/** The clock of the host. Its timers do not keep the process alive, and may be longer than {@link longestTimerMs}. */
export function systemClock(): Clock {
  return {
    now: Date.now,
    uptime: () => performance.now(),
    after: (delayMs, run) => (delayMs > longestTimerMs ? inSeveral : inOne)(delayMs, run),
  }
}

function inOne(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs)
  letHostExit(timer)
  return () => clearTimeout(timer)
}

/** Waits a delay that is too long for one timer, by several timers one after another. */
function inSeveral(delayMs: number, run: () => void): () => void {
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
  // `setTimeout` returns an object on Node and Bun, and a number on Deno. In a worker it returns a number, and the
  // timer does not keep anything alive.
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  else if (typeof timer === 'number') host.Deno?.unrefTimer(timer)
}

/** Prevents the host process from ending by itself. @returns a function that allows it again */
export function keepProcessAlive(): () => void {
  const timer = setInterval(() => {}, 60_000)
  return () => clearInterval(timer)
}
