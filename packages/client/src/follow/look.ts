import { readJson, type Guarded } from '../http/create-sender.ts'
import { retryAfterMs } from '../http/retry-after-ms.ts'
import type { Job } from '../wire/job.ts'

/** The interval between two polls in milliseconds, if the service does not ask for another one. */
export const pollMs = 3000

/** A job as an answer shows it, and how long the service asks to wait before the next poll, in milliseconds. */
export interface Look {
  readonly job: Job
  readonly pauseMs: number
}

export async function readLook(response: Response, guarded: Guarded): Promise<Look> {
  return { job: await readJson<Job>(response, guarded), pauseMs: retryAfterMs(response) ?? pollMs }
}
