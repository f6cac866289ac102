import type { Job } from '@genmount/client'

/** How a call waits for its job. */
export interface Waiting {
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal
  /** The longest time that the call waits, in milliseconds. */
  readonly waitMs: number
  /** Sends the progress of the job to the client. `undefined` if the client did not ask for progress. */
  readonly onProgress: ((progress: number, message: string) => void) | undefined
}

/** Receives the progress of a job: the part that is done, from 0 to 1, and how many tasks come first. */
export type OnNews = (progress?: number, queuePosition?: number) => void

/** A job at the end of a wait: completed, failed or still processing. */
export interface AwaitedJob {
  readonly job: Job
  /** Whether there was no place in which the call could wait, or another owner needed its place. */
  readonly isCutShort?: boolean
}
