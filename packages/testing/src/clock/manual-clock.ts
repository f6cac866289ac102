import type { Clock } from '@genmount/core'

/** A clock for tests. Its time stands still until the test moves it, so that a test never has to sleep. */
export interface ManualClock extends Clock {
  /**
   * Moves time forward by `ms` milliseconds. Timers fire in the order of their instants. While a timer fires, `now()`
   * is its instant, and code that awaits promises continues before the next timer fires. The clock does not wait for a
   * socket, a disk or a worker: await such work before you advance.
   * @throws RangeError when `ms` is negative; Error when an earlier `advance` has not finished
   */
  advance(ms: number): Promise<void>

  /**
   * Moves time forward to the instant `at`, in milliseconds since the Unix epoch, as `advance` does.
   * @throws RangeError when `at` lies in the past; Error when an earlier `advance` has not finished
   */
  advanceTo(at: number): Promise<void>

  /**
   * Corrects the time, as an operator or NTP does: `now()` jumps to `at`, in milliseconds since the Unix
   * epoch, forwards or backwards. No timer fires, and each timer keeps its remaining delay.
   */
  set(at: number): void

  /** How many timers have neither fired nor been canceled. */
  readonly pendingTimers: number
}

interface Timer {
  /** The value of `uptime()` at which the timer fires. Only `advance` and `advanceTo` change the uptime. */
  readonly dueAt: number
  readonly run: () => void
  /** Whether it has neither fired nor been canceled. */
  isPending: boolean
}

/**
 * Makes a clock whose time the test moves.
 * @param startAt the first instant, in milliseconds since the Unix epoch. @default 2026-01-01T00:00:00Z
 * @example
 * const clock = manualClock()
 * const service = createGenerationService({ providers: [fakeProvider({ clock })], clock })
 * await clock.advance(60_000)
 */
export function manualClock(startAt: number = Date.UTC(2026, 0, 1)): ManualClock {
  /** Those that fire last come first, because some tests set ten thousand. */
  const timers: Timer[] = []
  let uptime = 0
  let offset = startAt
  let isAdvancing = false

  /** @returns the place behind the timers that fire later than `dueAt` */
  function placeOf(dueAt: number): number {
    let [from, to] = [0, timers.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (timers[middle]!.dueAt > dueAt) from = middle + 1
      else to = middle
    }
    return from
  }

  function takeNext(until: number): Timer | undefined {
    const next = timers.at(-1)
    return next && next.dueAt <= until ? timers.pop() : undefined
  }

  async function advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`A manual clock advances by 0 ms or more, not by ${ms}; see set().`)
    if (isAdvancing) throw new Error('The manual clock is still advancing: await the earlier advance first.')
    isAdvancing = true
    try {
      const until = uptime + ms
      await drain()
      for (let timer = takeNext(until); timer; timer = takeNext(until)) {
        timer.isPending = false
        uptime = timer.dueAt
        timer.run()
        await drain()
      }
      uptime = until
    } finally {
      isAdvancing = false
    }
  }

  const now = () => uptime + offset

  return {
    now,
    uptime: () => uptime,
    after(delayMs, run) {
      if (Number.isNaN(delayMs)) throw new TypeError('delayMs must be a number of milliseconds, not NaN.')
      const timer: Timer = { dueAt: uptime + Math.max(0, delayMs), run, isPending: true }
      timers.splice(placeOf(timer.dueAt), 0, timer)
      return () => {
        if (timer.isPending) timers.splice(timers.indexOf(timer, placeOf(timer.dueAt)), 1)
        timer.isPending = false
      }
    },
    advance,
    advanceTo: async (at) => advance(at - now()),
    set(at) {
      offset = at - uptime
    },
    get pendingTimers() {
      return timers.length
    },
  }
}

/**
 * How many macrotasks `drain` waits for: enough for work that needs a few of them, such as streams, Blob and
 * crypto.
 */
const turns = 8

/** Lets all code that waits for promises continue. Each turn empties the microtask queue, however long it is. */
function drain(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let turn = 0
  const take = (): void => (turn++ < turns ? inNextTurn(take) : resolve())
  take()
  return promise
}

const inNextTurn = (run: () => void): void =>
  void (typeof setImmediate === 'function' ? setImmediate(run) : setTimeout(run, 0))
