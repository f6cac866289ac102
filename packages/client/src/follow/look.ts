import { readJson, type Guarded } from '../http/create-sender.ts'
import { retryAfterMs } from '../http/retry-after-ms.ts'
import type { Job } from '../wire/job.ts'

/** Where the service does not say when it wants to be asked for a job again. */
export const pollMs = 3000

/** A job as an answer has it, and after how many milliseconds the service wants to be asked again. */
export interface Look {
  readonly job: Job
  readonly pauseMs: number
}

export async function readLook(response: Response, guarded: Guarded): Promise<Look> {
  return { job: await readJson<Job>(response, guarded), pauseMs: retryAfterMs(response) ?? pollMs }
}
