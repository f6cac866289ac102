/** What the processes of this bench say to each other. */

export const waitingBody = JSON.stringify({ model: 'held', prompt: 'A lighthouse in the fog.' })

export interface ServerReport {
  readonly port: number
  /** Requests that are held. */
  readonly waiting: number
  readonly connections: number
  /** When the provider said that the job is done, in milliseconds since the Unix epoch. */
  readonly finishedAt: number
  /** How long the event loop was kept from its turn since `finish` was asked for. */
  readonly longestStallMs: number
}

/** `idle`: each connection asks once and stays; `wait`: each sends a request that waits; `vanish`: all break off. */
export type ClientTask =
  | { readonly task: 'idle'; readonly port: number; readonly count: number }
  | { readonly task: 'wait' }
  | { readonly task: 'answers' }
  | { readonly task: 'vanish' }

export interface Answers {
  readonly answered: number
  /** Replies with status 200. */
  readonly finished: number
  /** When the last reply had come, in milliseconds since the Unix epoch. */
  readonly lastAt: number
}
