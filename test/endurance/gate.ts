import type { Clock } from '@genmount/core'

/**
 * Everything that reaches one process comes through its gate: its timers, and the answers to its calls. While
 * the gate is shut, the process stands still as after SIGSTOP, and everything else goes on.
 */
export interface Gate {
  readonly clock: Clock
  /**
   * Wraps a function that the process calls: its answer comes through the gate. After `end` it is not called
   * any more.
   */
  through<Args extends unknown[], Result>(
    ask: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result>
  /** Wraps a function of the process that others call: the calls come through the gate. */
  into<Args extends unknown[]>(told: (...args: Args) => void): (...args: Args) => void
  shut(): void
  /** Opens the gate. Late timers come in first and then answers, as in an event loop. */
  open(): Promise<void>
  /** Lets nothing in any more, because the process has ended. */
  end(): void
  readonly isShut: boolean
  readonly hasEnded: boolean
}

export function gateOf(world: Clock): Gate {
  let isShut = false
  let hasEnded = false
  let lateTimers: (() => void)[] = []
  let lateAnswers: (() => void)[] = []

  function letIn(run: () => void, late: () => (() => void)[]): void {
    if (hasEnded) return
    if (isShut) late().push(run)
    else run()
  }
  const answers = () => lateAnswers
  const timers = () => lateTimers

  return {
    clock: {
      now: world.now,
      uptime: world.uptime,
      after(delayMs, run) {
        let isOff = false
        const cancel = world.after(delayMs, () => letIn(() => isOff || run(), timers))
        return () => {
          isOff = true
          cancel()
        }
      },
    },

    through:
      (ask) =>
      (...args) =>
        new Promise((resolve, reject) => {
          if (hasEnded) return
          ask(...args).then(
            (result) => letIn(() => resolve(result), answers),
            (error: unknown) => letIn(() => reject(error), answers),
          )
        }),

    into:
      (told) =>
      (...args) =>
        letIn(() => told(...args), answers),

    shut() {
      isShut = true
    },

    async open() {
      isShut = false
      const late = [...lateTimers, ...lateAnswers]
      lateTimers = []
      lateAnswers = []
      for (const run of late) {
        letIn(run, answers)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },

    end() {
      hasEnded = true
      lateTimers = []
      lateAnswers = []
    },

    get isShut() {
      return isShut
    },
    get hasEnded() {
      return hasEnded
    },
  }
}
