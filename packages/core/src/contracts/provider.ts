import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { ProviderFailure } from '../errors/job-failures.ts'
import type { Json, JsonObject } from './json.ts'

/** What a job makes. */
export type OutputKind = 'image' | 'video'

/** One model of a provider: what clients name in `model`, and the input it takes. */
export interface Model {
  /** The public identifier, unique within a service. */
  readonly id: string
  readonly outputKind: OutputKind
  /**
   * The input beside `model`, as any Standard Schema (valibot, zod, arktype). It should refuse unknown fields.
   * What it returns goes to the provider, so defaults and coercions of the schema count.
   */
  readonly input: StandardSchemaV1<unknown, object>
  /** Whole days for which jobs of this model and their outputs are kept. @default the service's `retentionDays` */
  readonly retentionDays?: number | undefined
  /** How long a job of this model usually takes, in milliseconds. Shapes the poll schedule until it has learnt better. */
  readonly typicalMs?: number | undefined
}

/** A job as its provider sees it. */
export interface ProviderTask {
  readonly jobId: string
  readonly model: string
  /** The validated input. */
  readonly input: JsonObject
  /** Stays the same for every attempt at this job: the idempotency key or client id of providers that know one. */
  readonly clientToken: string
  /**
   * Whose job it is, for one purpose: where tasks wait for each other in this process, owners take turns. The service always
   * gives it; tasks without it count as one owner's. It is a mark and not the owner's name, which may be personal data that
   * does not belong into a provider's log. The mark is random: it tells nothing of the name, is the same for all jobs of an
   * owner in one service of one process, and is another one in any other process. Not for vendors: to them it means nothing.
   */
  readonly owner?: string | undefined
}

/** A task that the provider has taken on. */
export interface RunningTask extends ProviderTask {
  /** What the provider's last `running` report gave; `null` when it reported none. */
  readonly handle: Json
}

/** The circumstances of one call to a provider. */
export interface ProviderCall {
  /** Aborted when the call's time is up, the service closes, or another node has taken the job over. */
  readonly signal: AbortSignal
  /**
   * Where the vendor may send its callback for this job: for a submit of a provider that reads them, and for `find`, which
   * may know the task by it. Holds a secret.
   */
  readonly callbackUrl?: string | undefined
  /**
   * For `find`: when the service wrote down that it was about to submit, in milliseconds since the Unix epoch by its own
   * clock. The submit itself was sent at that instant or later.
   */
  readonly submittedAt?: number | undefined
}

/**
 * One output: an https URL on the public internet, where it can be fetched without credentials, or the bytes themselves,
 * whose type is told by how they begin (png, jpeg, gif, webp, avif, mp4, quicktime, webm; anything else is
 * `application/octet-stream`).
 */
export type Output =
  | { readonly url: string; readonly contentType?: string | undefined }
  | { readonly bytes: Uint8Array; readonly contentType?: string | undefined }

/** The provider's word on a task. */
export type ProviderReport =
  /** Taken on and not finished. `handle` finds this task again, in any process. `pollAfterMs`: do not ask before. */
  | { readonly state: 'running'; readonly handle: Json; readonly pollAfterMs?: number | undefined }
  /** Finished. `costUsd` in US dollars, `inferenceMs` in milliseconds, both final. */
  | {
      readonly state: 'succeeded'
      readonly outputs: readonly Output[]
      readonly costUsd?: number | undefined
      readonly inferenceMs?: number | undefined
    }
  /**
   * Failed for good; `message` is shown to the job's owner, `cause` goes to the log alone. `isAccountAtFault` is for a
   * submit: nothing was taken on, and not because of the task, but because the provider does not accept this service's
   * credentials or has no credit left for it (401, 402, 403). A model with other routes tries those.
   */
  | {
      readonly state: 'failed'
      readonly code: ProviderFailure
      readonly message: string
      readonly costUsd?: number | undefined
      readonly isAccountAtFault?: boolean | undefined
      readonly cause?: unknown
    }
  /**
   * Not taken on, and nothing was spent: overload, rate limit, maintenance. The same call is made again later, after
   * `retryAfterMs` where it is given. For a poll: no news.
   */
  | { readonly state: 'refused'; readonly message: string; readonly retryAfterMs?: number | undefined }
  /**
   * For a poll: the provider does not know the task at this moment (a 404). That may pass, after a deployment or at a
   * replica that lags behind. The service asks again and takes the task for lost (`provider_lost`) only when several such
   * answers in a row span a grace of 15 seconds or more, which grows with the task's age. `message` is shown to the owner
   * then, and `costUsd` is what the job has cost, in US dollars. For `find`: the task has not been found so far, and may
   * be yet, as in a list that lags. The service asks again for a minute, and does not submit again. For a submit: nothing
   * that makes sense.
   */
  | { readonly state: 'unknown'; readonly message: string; readonly costUsd?: number | undefined }

/**
 * Who makes the media. Each method is one short call; the service keeps the job, decides when to call, and never calls
 * for the same job twice at a time.
 *
 * A method that **throws** says "I do not know what happened". For `poll` that means no news. For `submit` it means
 * that the task may or may not have been taken on, and it may cost money to try again: see `find`, `dedupesSubmits`
 * and the service's `onAmbiguousSubmit`.
 *
 * An error that proves that no connection was made is told apart by the service and counts as `refused`: nobody listens, no
 * such host, no way there, no connection in time, no descriptor left, a certificate that is not trusted, a proxy that does
 * not lead there. For this the runtime's own error must be what is thrown, or its `cause`, and it must tell of the only
 * request that can cost something: a `submit` sends that one as a POST through `fetch` (on Deno with a Blob as its body,
 * since Deno sends others again when a connection breaks), follows no redirect, does not try again by itself, and connects
 * to nobody afterwards.
 */
export interface Provider {
  readonly name: string
  readonly models: readonly Model[]

  /** Starts the task. May finish it at once. */
  submit(task: ProviderTask, call: ProviderCall): Promise<ProviderReport>

  /** Asks for the state of a task that was `running`. May be asked again after the end, when what it said was lost. */
  poll(task: RunningTask, call: ProviderCall): Promise<ProviderReport>

  /** Stops a task that nobody wants any more; best effort, its outcome is not awaited by anyone. */
  cancel?(task: RunningTask, call: ProviderCall): Promise<void>

  /**
   * Looks a task up by its `clientToken`, or by its callback URL, after a submit whose outcome is unknown.
   * @returns its state; `undefined` as the promise that this task was never taken on and may be submitted again, which
   *   may be paid for again; `unknown` where it has not been found and that promise can't be given
   */
  find?(task: ProviderTask, call: ProviderCall): Promise<ProviderReport | undefined>

  /** `true` promises that two submits with one `clientToken` are one task and are paid for once. @default false */
  readonly dedupesSubmits?: boolean | undefined

  /**
   * Verifies a callback that the provider sent and returns the task's handle. A callback is a hint to poll, never the
   * truth; it may also bring back the handle of a submit whose answer was lost.
   * @throws when the request is forged or stale
   */
  readCallback?(request: CallbackRequest): Promise<Json>

  /** How long one call may take, in milliseconds. @default 60000 */
  readonly callTimeoutMs?: number | undefined

  /** How many jobs of all its models may be worked on at a time in one process; the others wait. @default 100 */
  readonly maxConcurrentCalls?: number | undefined

  /** Frees what the provider holds (worker threads, sockets). Called once, by the service's `close()`. */
  close?(): Promise<void>
}

/** A provider's callback as it came in. */
export interface CallbackRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}
