import { pollSchedule } from '../../../packages/core/src/pacing/poll-schedule.ts'

/** Decides when the tasks of one model are polled. */
export interface PollPolicy {
  /**
   * How many milliseconds to wait for the next poll of a task that has run for `elapsedMs` and was polled
   * `polls` times.
   */
  delayMs(elapsedMs: number, polls: number): number
  /**
   * Called for each finished task: it was still running after `runningMs`, and was found finished after
   * `foundMs`.
   */
  observe?(foundMs: number, runningMs: number): void
}

/** The policy of the service, for a model about which nothing is known yet. */
export function ourPolicy(): PollPolicy {
  const schedule = pollSchedule([])
  return {
    delayMs: (elapsedMs) => schedule.delayMs('model', elapsedMs),
    observe: (foundMs, runningMs) => schedule.observe('model', foundMs, runningMs),
  }
}

/** The fixed pause of the reference client, after the submit and between two polls. */
export function fixedPolicy(): PollPolicy {
  return { delayMs: () => 3000 }
}

/** A pause of 1 s, then each time 1.5 times the last one, up to 30 s. */
export function backOffPolicy(): PollPolicy {
  return { delayMs: (_elapsedMs, polls) => Math.min(30_000, 1000 * 1.5 ** polls) }
}
