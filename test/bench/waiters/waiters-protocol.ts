/** The messages between the processes of this bench. */

export const waitingBody = JSON.stringify({ model: 'held', prompt: 'A lighthouse in the fog.' })

export interface ServerReport {
  readonly port: number
  /** The job that all wait for; absent for the bare server. */
  readonly jobId?: string | undefined
  /** How many requests are held. */
  readonly waiting: number
  readonly connections: number
  /** When the provider reported that the job is finished, in milliseconds since the Unix epoch. */
  readonly finishedAt: number
  /** The longest time for which the event loop stood still since the question `finish`. */
  readonly longestStallMs: number
}

/**
 * `idle`: each client sends one request and stays connected. `wait`: each sends a request that waits. `listen`: each asks
 * for the job's events. `vanish`: all disconnect.
 */
export type ClientTask =
  | { readonly task: 'idle'; readonly port: number; readonly count: number }
  | { readonly task: 'wait' }
  | { readonly task: 'listen'; readonly jobId: string }
  | { readonly task: 'answers' }
  | { readonly task: 'vanish' }

export interface Answers {
  readonly answered: number
  /** How many replies had status 200. */
  readonly finished: number
  /** When the last reply arrived, in milliseconds since the Unix epoch. */
  readonly lastAt: number
}
