import type { Output, ProviderFailure, ProviderTask } from '@genmount/core'

/** How one call goes wrong. */
export type FakeFault =
  /** The connection breaks: throws with the cause `ECONNRESET`. */
  | 'reset'
  /** Nobody listens: throws with the cause `ECONNREFUSED`. */
  | 'connection_refused'
  /** Throws as for an answer with status 500. */
  | 'server_error'
  /** No answer until the call's signal aborts. */
  | 'hang'
  /** This is said instead, be it a report or nonsense. */
  | { readonly report: unknown }

/** What becomes of one submit and its task. `{}` finishes at once, with one output as bytes. */
export interface FakeBehaviour {
  /** What happens instead of the task being taken on: nothing is paid. */
  readonly submit?: FakeFault
  /** What happens instead of the submit's answer, when the task has been taken on and paid. */
  readonly answer?: FakeFault
  /** What goes wrong with polls: with every one, or with the first ones in turn, after which it recovers. */
  readonly poll?: FakeFault | readonly FakeFault[]
  /**
   * How long the task runs, in milliseconds of the clock. With 0 it is said to run, and is finished when first asked.
   * @default it is finished in the submit's answer
   */
  readonly delayMs?: number
  /** @default as many as the input's `num_outputs`, as bytes of the model's kind */
  readonly outputs?: readonly Output[]
  /** Makes the task fail when it would have finished. */
  readonly failure?: { readonly code: ProviderFailure; readonly message?: string }
  /** What the vendor charges and reports, in US dollars. @default 0.01 for each output, 0 when the task fails */
  readonly costUsd?: number
  /** In milliseconds. @default `delayMs` */
  readonly inferenceMs?: number
  /** How long after its submit the task can be found by its client token, in milliseconds of the clock. @default 0 */
  readonly listedAfterMs?: number
  /** Told with each running report. @default not told */
  readonly pollAfterMs?: number
}

/**
 * Decides what becomes of a submit: a function (`attempt` counts the submits of one client token from 1), or a list
 * for the submits in the order in which they come, whose last entry stays.
 */
export type FakeScript =
  ((task: ProviderTask, attempt: number) => FakeBehaviour) | readonly [FakeBehaviour, ...FakeBehaviour[]]

/** Overload, for `submit` and `poll`. */
export function refused(retryAfterMs?: number): FakeFault {
  const message = 'Too many requests.'
  return { report: { state: 'refused', message, ...(retryAfterMs !== undefined && { retryAfterMs }) } }
}

/**
 * The vendor does not know the task, for `poll`. Said again and again, the service takes the task for lost
 * (`provider_lost`); said once, it may pass.
 */
export const lost: FakeFault = { report: { state: 'unknown', message: 'There is no such task.' } }

/** Reports that keep no contract, for `answer` and `poll`, each under a name that says what is wrong with it. */
export const nonsense = {
  nothing: { report: undefined },
  notAnObject: { report: 'succeeded' },
  unknownState: { report: { state: 'finished', outputs: [{ url: 'https://vendor.test/1.png' }] } },
  runningWithoutHandle: { report: { state: 'running' } },
  succeededWithoutOutputs: { report: { state: 'succeeded' } },
  succeededWithNoOutput: { report: { state: 'succeeded', outputs: [] } },
  emptyBytes: { report: { state: 'succeeded', outputs: [{ bytes: new Uint8Array() }] } },
  emptyOutput: { report: { state: 'succeeded', outputs: [{}] } },
  nullOutput: { report: { state: 'succeeded', outputs: [null] } },
  scriptUrl: { report: { state: 'succeeded', outputs: [{ url: 'javascript:alert(1)' }] } },
  fileUrl: { report: { state: 'succeeded', outputs: [{ url: 'file:///etc/passwd' }] } },
  failedWithoutReason: { report: { state: 'failed' } },
} as const satisfies Record<string, FakeFault>
