import { holderOf } from '../claims/holder-of.ts'
import type { Step } from './step.ts'

/**
 * The state of the process that began the submit of a job, and so may still have its answer or its outputs. A backend that
 * does not answer shows no end of it.
 * @returns as {@link holderOf} does
 */
export async function submitterState({ job, context: { processes } }: Step) {
  return holderOf(job.submitToken, processes).catch(() => 'alive' as const)
}

/**
 * Whether a process that has been gone since this instant may return, because it may only be cut off from the backend.
 * @param goneSince in milliseconds since the Unix epoch. @default now
 */
export function mayReturn({ context: { clock, processes } }: Step, goneSince = clock.now()): boolean {
  return clock.now() - goneSince < (processes?.mayReturnMs ?? 0)
}
