import type { Clock } from '@genmount/core'

export type Gate = ReturnType<typeof gateOf>

/**
 * The gate of one process. Everything that reaches the process comes through it: its timers, and the answers to its
 * calls. While the gate is shut, the process stands still as after SIGSTOP, and everything else goes on.
 */
export function gateOf(outside: Clock) {
  let isShut = false
  let hasEnded = false
  let late = { timers: [] as (() => void)[], answers: [] as (() => void)[] }

  function letIn(run: () => void, kind: keyof typeof late): void {
    if (hasEnded) return
    if (isShut) late[kind].push(run)
    else run()
  }

  const clock: Clock = {
    now: outside.now,
    uptime: outside.uptime,
    after(delayMs, run) {
      let isOff = false
      const cancel = outside.after(delayMs, () => letIn(() => isOff || run(), 'timers'))
      return () => {
        isOff = true
        cancel()
      }
    },
  }

  return {
    clock,

    /**
     * Wraps a function that the process calls: its answer comes through the gate. After `end` it is not called
     * any more.
     */
    through:
      <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> =>
        new Promise((resolve, reject) => {
          if (hasEnded) return
          call(...args).then(
            (result) => letIn(() => resolve(result), 'answers'),
            (error: unknown) => letIn(() => reject(error), 'answers'),
          )
        }),

    /** Wraps a function of the process that others call: the calls come through the gate. */
    into:
      <Args extends unknown[]>(listener: (...args: Args) => void) =>
      (...args: Args): void =>
        letIn(() => listener(...args), 'answers'),

    shut: () => void (isShut = true),

    /** Opens the gate. Late timers come in first and then answers, as in an event loop. */
    async open(): Promise<void> {
      isShut = false
      const waiting = [...late.timers, ...late.answers]
      late = { timers: [], answers: [] }
      for (const run of waiting) {
        letIn(run, 'answers')
        await new Promise((resolve) => setImmediate(resolve))
      }
    },

    /** Lets nothing in any more, because the process has ended. */
    end(): void {
      hasEnded = true
      late = { timers: [], answers: [] }
    },

    get isShut() {
      return isShut
    },
    get hasEnded() {
      return hasEnded
    },
  }
}
