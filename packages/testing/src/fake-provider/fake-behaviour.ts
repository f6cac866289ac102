import type { JobNews, Output, ProviderFailure, ProviderTask, TaskTokens } from '@genmount/core'

/** How one call to the provider fails. */
export type FakeFault =
  /** The connection breaks: the call throws with the cause `ECONNRESET`. */
  | 'reset'
  /** There is no connection: the call throws with the cause `ECONNREFUSED`. */
  | 'connection_refused'
  /** The call throws as a provider does for an answer with status 500. */
  | 'server_error'
  /** The call gets no answer until its signal aborts. */
  | 'hang'
  | FakeReport

/** The call returns this value instead of its report. */
export interface FakeReport {
  /** A valid report, or any other value. */
  readonly report: object | string | undefined
}

/** The behaviour of one submit and its task. With `{}` the task finishes at once, with its outputs as bytes. */
export interface FakeBehaviour {
  /**
   * The submit fails like this before the vendor accepts the task, so nothing is paid. @default it does not
   * fail
   */
  readonly submit?: FakeFault
  /**
   * The submit fails like this after the vendor has accepted the task, so the task is paid. @default it does
   * not fail
   */
  readonly answer?: FakeFault
  /**
   * How polls of the task fail. A single fault applies to all polls. A list applies to the first polls, one fault each;
   * later polls succeed.
   * @default no poll fails
   */
  readonly poll?: FakeFault | readonly FakeFault[]
  /**
   * How long the task runs, in milliseconds of the clock. With 0 the submit reports it as running, and the
   * first poll finds it finished. @default the answer to the submit reports it as finished
   */
  readonly delayMs?: number
  /**
   * The outputs of the task. @default as many as the `num_outputs` of the input, as bytes of the kind of the
   * model
   */
  readonly outputs?: readonly Output[]
  /** Makes the task fail at the time at which it would have finished. @default it succeeds */
  readonly failure?: {
    /** The reason that the provider reports. */
    readonly code: ProviderFailure
    /** The message that the provider reports. @default 'The fake was told to fail.' */
    readonly message?: string
    /** What led to it, for operators. @default none */
    readonly cause?: unknown
    /** The HTTP status of the vendor's answer, for operators. @default none */
    readonly status?: number
  }
  /**
   * What the vendor charges and the provider reports, in US dollars. @default 0.01 for each output, 0 when
   * the task fails
   */
  readonly costUsd?: number
  /** The inference time that the provider reports, in milliseconds. @default `delayMs` */
  readonly inferenceMs?: number
  /** The tokens that the provider reports. @default none */
  readonly tokens?: TaskTokens
  /**
   * How long after its submit a task can first be found by its client token, in milliseconds of the clock.
   * @default 0
   */
  readonly listedAfterMs?: number
  /** How long the provider asks the service to wait before the next poll, in milliseconds. @default it does not ask */
  readonly pollAfterMs?: number
  /** The news in each report that the task is running. @default none */
  readonly news?: JobNews
}

/**
 * Decides what happens to each submit. Either a function, whose `attempt` counts the submits with the same client token
 * from 1; or a list with one entry for each submit, in order. The last entry is used for all later submits.
 */
export type FakeScript =
  | ((task: ProviderTask, attempt: number) => FakeBehaviour)
  | readonly [FakeBehaviour, ...FakeBehaviour[]]

/**
 * A fault for `submit` and `poll`: the vendor is overloaded and refuses the call.
 * @param retryAfterMs how long the vendor asks to wait before the next call, in milliseconds. @default not given
 */
export function refused(retryAfterMs?: number): FakeFault {
  const message = 'Too many requests.'
  return { report: { state: 'refused', message, ...(retryAfterMs !== undefined && { retryAfterMs }) } }
}

/**
 * A fault for `poll`: the vendor does not know the task. After such an answer the service polls again. If the answer
 * stays the same for 5 minutes, the job fails with `provider_lost`.
 */
export const lost: FakeFault = { report: { state: 'unknown', message: 'There is no such task.' } }

const says = (report: FakeReport['report']): FakeReport => ({ report })

/** Faults for `answer` and `poll`: reports that break the contract of a provider, each with a name for its mistake. */
export const nonsense = {
  /** No report at all. */
  nothing: says(undefined),
  /** A text instead of a report. */
  notAnObject: says('succeeded'),
  /** A state that does not exist. */
  unknownState: says({ state: 'finished', outputs: [{ url: 'https://vendor.test/1.png' }] }),
  /** A running task without a handle to poll it by. */
  runningWithoutHandle: says({ state: 'running' }),
  /** A success without a list of outputs. */
  succeededWithoutOutputs: says({ state: 'succeeded' }),
  /** A success with an empty list of outputs. */
  succeededWithNoOutput: says({ state: 'succeeded', outputs: [] }),
  /** An output of no bytes. */
  emptyBytes: says({ state: 'succeeded', outputs: [{ bytes: new Uint8Array() }] }),
  /** An output with neither bytes nor a URL. */
  emptyOutput: says({ state: 'succeeded', outputs: [{}] }),
  /** `null` instead of an output. */
  nullOutput: says({ state: 'succeeded', outputs: [null] }),
  /** An output with a `javascript:` URL. */
  scriptUrl: says({ state: 'succeeded', outputs: [{ url: 'javascript:alert(1)' }] }),
  /** An output with a `file:` URL. */
  fileUrl: says({ state: 'succeeded', outputs: [{ url: 'file:///etc/passwd' }] }),
  /** A failure without a code. */
  failedWithoutReason: says({ state: 'failed' }),
}
