import { setTimeout as sleep } from 'node:timers/promises'

/** A queue that takes jobs to their end, and what it needs to do so. */
export interface Queue {
  /** Stores a job with this input. It is submitted, polled once, and ends. */
  create(input: object): Promise<unknown>
  stop(): Promise<unknown>
}

/** Opens a queue. @param onEnd is called for each job that has been polled */
export type OpenQueue = (url: string, onEnd: () => void) => Promise<Queue>

/** After how many milliseconds a task is done. */
export const taskMs = 1050

/** What the handler of a queue does with a job: it submits a task, waits, and polls it. Neither takes any time here. */
export async function work(onEnd: () => void): Promise<void> {
  await sleep(taskMs)
  onEnd()
}

/** How many jobs a process works on at a time: more than are under way at the rate of the bench. */
export const atATime = 300
