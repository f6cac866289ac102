import type { Clock } from '../contracts/clock.ts'
import { lastUsed } from '../sharing/last-used.ts'

/** How many deletions one process puts off without a note in the job store. */
const maxRemembered = 1000

/** The deletions that this process has put off by its uptime, because no instant of its clock is to be relied on. */
export interface DeletionPauses {
  /** How many there are. Their jobs are still listed as expired. */
  count(): number
  /** Whether the deletion of the job was put off, be the pause over or not. */
  has(jobId: string): boolean
  /** Whether the pause is not over. */
  isPaused(jobId: string): boolean
  add(jobId: string, pauseMs: number): void
  remove(jobId: string): void
}

/** Makes the memory of one service. */
export function deletionPauses(clock: Clock): DeletionPauses {
  const untilUptime = lastUsed<number>(maxRemembered)
  return {
    count: () => untilUptime.size,
    has: (jobId) => untilUptime.has(jobId),
    isPaused: (jobId) => (untilUptime.get(jobId) ?? Number.NEGATIVE_INFINITY) > clock.uptime(),
    add: (jobId, pauseMs) => void untilUptime.set(jobId, clock.uptime() + pauseMs),
    remove: (jobId) => void untilUptime.delete(jobId),
  }
}
