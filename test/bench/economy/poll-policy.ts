import { pollSchedule } from '../../../packages/core/src/pacing/poll-schedule.ts'

/** Decides when one model's tasks are asked after. */
export interface PollPolicy {
  /** Milliseconds until the next poll of a task that runs for `elapsedMs` and has been polled `polls` times. */
  delayMs(elapsedMs: number, polls: number): number
  /** Told of a task that was still running at `runningMs` and found finished at `foundMs`. */
  observe?(foundMs: number, runningMs: number): void
}

/** What the service does, for a model that nothing is known of. */
export function ourPolicy(): PollPolicy {
  const schedule = pollSchedule([])
  return {
    delayMs: (elapsedMs) => schedule.delayMs('model', elapsedMs),
    observe: (foundMs, runningMs) => schedule.observe('model', foundMs, runningMs),
  }
}

/** The pause of the interface's reference client, after the submit as between two polls. */
export function fixedPolicy(): PollPolicy {
  return { delayMs: () => 3000 }
}

/** 1 s, then half as long again each time, up to 30 s. */
export function backOffPolicy(): PollPolicy {
  return { delayMs: (_elapsedMs, polls) => Math.min(30_000, 1000 * 1.5 ** polls) }
}
