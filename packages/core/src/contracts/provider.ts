import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { CallbackNews, CallbackRequest } from './callback-request.ts'
import type { JobNews, ProviderReport } from './provider-report.ts'
import type { ListedTask, ProviderTask } from './provider-task.ts'
import type { Json, JsonObject } from './json.ts'

/** The kind of media that a job makes. */
export type OutputKind = 'image' | 'video'

/** What the jobs of a model cost, as clients see it. */
export interface ModelPrice {
  /** The price in words, such as `0.04 USD per image`. */
  readonly text: string
  /** The unit of the price, in the singular, such as `image` or `second`. @default the price has no single unit */
  readonly per?: string | undefined
  /** The price of each unit, in US dollars. @default there is no single price */
  readonly usd?: number | undefined
  /** The price of each unit by the value of one field of the input. @default the price depends on no field */
  readonly usdBy?:
    | {
        /** The name of the field. */
        readonly field: string
        /** The price of each unit in US dollars, by the value of the field as text. */
        readonly usd: Readonly<Record<string, number>>
      }
    | undefined
  /**
   * Calculates what a job with this validated input is expected to cost, in US dollars, so that it can be reserved. Clients do
   * not see it. @returns `undefined` when that is not known before the job has run. @default by `usd` or `usdBy`, and `per`
   */
  readonly usdOf?: ((input: JsonObject) => number | undefined) | undefined
}

/** When the vendor of a model ends it. */
export interface ModelEnd {
  /** The last day on which jobs are accepted, in UTC, such as `2026-12-01`. */
  readonly on: string
  /** What to use instead, by the vendor's name, such as `gpt-image-2.6-flare`. @default nothing is known */
  readonly replacement?: string | undefined
}

/** A model of a provider: the id by which clients ask for it, and the input that it accepts. */
export interface Model {
  /** The public identifier, unique within a service. */
  readonly id: string
  /** Whether the model makes images or videos. */
  readonly outputKind: OutputKind
  /**
   * What the model does, in one short sentence for people and agents that choose a model, such as `Enlarges a picture to twice
   * its width and height.`
   * @default clients see no description
   */
  readonly description?: string | undefined
  /**
   * The schema of the body without `model`: any Standard Schema (valibot, zod, arktype). It should refuse unknown
   * fields. The provider gets what the schema returns, including its defaults and conversions. If it is also a Standard
   * JSON Schema, as those of zod and arktype are, clients can read it (`GET /v1/models`).
   */
  readonly input: StandardSchemaV1<unknown, object>
  /** Whole days for which jobs of this model and their outputs are kept. @default the service's `retentionDays` */
  readonly retentionDays?: number | undefined
  /**
   * How long a job of this model may take before it fails as `deadline_exceeded`, in milliseconds.
   * @default the service's `deadlineMs`
   */
  readonly deadlineMs?: number | undefined
  /** How long one call for a job of this model may take, in milliseconds. @default the provider's `callTimeoutMs` */
  readonly callTimeoutMs?: number | undefined
  /**
   * How long a job of this model usually takes, in milliseconds. It decides when the first jobs are polled. Later the
   * service uses the durations that it has measured.
   * @default not known
   */
  readonly typicalMs?: number | undefined
  /**
   * `false` means that the provider can't report what a job of this model costs, for example because no price is set.
   * Its jobs show `cost_usd: 0`, and the service writes a warning to the log when it starts.
   * @default the service warns when the first job of the model has completed without a cost
   */
  readonly isCostKnown?: boolean | undefined
  /**
   * The inputs that the model's price does not cover, in words, such as `resolution 4k, or no resolution`. The service
   * warns about them when it starts.
   * @default the price covers all inputs
   */
  readonly unpricedInputs?: string | undefined
  /**
   * What its outputs are, as a term of the IPTC's digital source types: https://cv.iptc.org/newscodes/digitalsourcetype. The
   * plugin of `@genmount/provenance` writes it into the files.
   * @default the model makes media by AI: `compositeWithTrainedAlgorithmicMedia` if the input has a picture, film or sound,
   *   otherwise `trainedAlgorithmicMedia`
   */
  readonly digitalSourceType?:
    | 'algorithmicallyEnhanced'
    | 'algorithmicMedia'
    | 'compositeWithTrainedAlgorithmicMedia'
    | 'trainedAlgorithmicMedia'
    | undefined
  /**
   * When its vendor ends the model. The log warns each day from 60 days before, clients can read it, and jobs of the model are
   * refused after that day.
   * @default no end is known
   */
  readonly end?: ModelEnd | undefined
  /** What jobs cost, for clients to read. It changes no job's cost. @default clients see no price */
  readonly price?: ModelPrice | undefined
  /**
   * What a job with this validated input is expected to cost, in US dollars, for a model without one price: `undefined` when that
   * is not known before the job has run. `routeModel` sets it: the price of the first route that takes the input.
   * @default by `price`
   */
  readonly expectedUsd?: ((input: JsonObject) => Promise<number | undefined>) | undefined
}

/** A task that the provider has taken on. */
export interface RunningTask extends ProviderTask {
  /** The `handle` of the provider's last `running` report; `null` when there was no such report. */
  readonly handle: Json
}

/** What a provider gets with each call besides the task. */
export interface ProviderCall {
  /**
   * Aborted when `callTimeoutMs` of the model or provider has passed, and when the service closes: a `submit` when the time of `close()` is up,
   * all other calls at once.
   */
  readonly signal: AbortSignal
  /**
   * The URL to which the vendor may send its callback for this job. It contains a secret. `submit` and `find` get it if
   * the provider has `readCallback` or `callbacksAreHints` and the service has the plugin `callbacks`. `find` may use it to
   * recognise the task.
   */
  readonly callbackUrl?: string | undefined
  /**
   * When the service recorded that it was about to submit, in milliseconds since the Unix epoch by its own clock. The
   * submit was sent at that instant or later. Only `find` gets it.
   */
  readonly submittedAt?: number | undefined
  /**
   * `true` when the job was canceled or its time is over: no further submit is made, and the job fails unless the report says
   * that the task has succeeded. Only `poll` gets it.
   * @default false
   */
  readonly isOver?: boolean | undefined
}

/**
 * Makes the media. Each method is one short call. The service keeps the job, decides when to call, and never makes two
 * calls for the same job at the same time.
 *
 * A method that **throws** means "I do not know what happened". For `poll` this means that there is no news. For
 * `submit` it means that the provider may have taken the task on, so a second submit may cost money again. What the
 * service then does depends on `find`, `dedupesSubmits` and the service's `onAmbiguousSubmit`.
 *
 * If the error proves that no connection was made, the service treats it as `refused`: no server listens at the
 * address, the host does not exist or can't be reached, the connection was not made in time, no file descriptor is
 * left, the certificate is not trusted, or a proxy does not lead to the vendor. The service recognises the runtime's
 * own error, either thrown or as the `cause` of what is thrown. The proof holds only if that error is about the one
 * request that can cost something. So a `submit`
 * - sends this request as a POST through `fetch`, on Deno with a Blob as its body (Deno sends other bodies again when a
 *   connection breaks),
 * - follows no redirect,
 * - does not try again by itself,
 * - and makes no further connection after that request.
 */
export interface Provider {
  /** The name of the provider, such as `replicate`. It is part of callback URLs and appears in the log. */
  readonly name: string
  /**
   * The models that clients of the service can ask for. The list stays as it is, unless the provider has `followModels`: then it
   * is read live.
   */
  readonly models: readonly Model[]

  /**
   * Follows the vendor's own list of models. The service calls it when it starts, and does not wait for anything. Whenever the
   * provider has changed its list of `models` in place, it calls `changed`. It may begin without a model. Jobs of a model that
   * is gone go on, so `submit` must still know the model. Following keeps no process alive. Several services may follow.
   * @returns a function that ends the following. The service calls it when it closes
   * @default the models stay as they are
   */
  followModels?(changed: () => void): () => void

  /** Starts the task. The report may say that the task has finished. */
  submit(task: ProviderTask, call: ProviderCall): Promise<ProviderReport>

  /**
   * Polls the state of a task that was `running`. It may be called again after the task has ended, if an earlier answer
   * was lost; and for a task whose `model` is not among the `models` any more, because a deployment has removed it.
   */
  poll(task: RunningTask, call: ProviderCall): Promise<ProviderReport>

  /**
   * Stops a task whose job has reached its deadline or was canceled by its owner. It may be called repeatedly, also
   * for a task that has ended. After the call, the service polls the task: a canceled job ends when the poll reports
   * `failed` (with what the task has cost) or `unknown`.
   * @default the provider can't stop tasks. A canceled job then ends at once, and its cost is unknown
   */
  cancel?(task: RunningTask, call: ProviderCall): Promise<void>

  /**
   * Looks for a task by its `clientToken` or its callback URL, after a submit whose outcome is unknown.
   * @returns the task's state. `undefined` promises that the task was never taken on, and that no submit from a process
   *   that has ended is still on its way: the service submits it again, and may have to pay again if the promise is
   *   wrong. `unknown` means that the task was not found, without this promise
   */
  find?(task: ProviderTask, call: ProviderCall): Promise<ProviderReport | undefined>

  /**
   * Lists the tasks that the vendor took on at `since` or later, in any order. The list may have tasks that other
   * programs have started with the same account, and a task may be in it twice. The service never calls it:
   * `genmount reconcile` does, to find the tasks that no job knows.
   * @param since in milliseconds since the Unix epoch. Tasks whose time is not known are listed in any case
   * @throws when the vendor does not give its whole list
   * @default the vendor can't list tasks
   */
  list?(since: number, signal: AbortSignal): AsyncIterable<ListedTask>

  /**
   * `true` promises that two submits with the same `clientToken` start one task, which is paid for once.
   * @default false
   */
  readonly dedupesSubmits?: boolean | undefined

  /**
   * Verifies a callback of the vendor and returns the handle of the task, or a {@link CallbackNews} with the handle and a
   * report. The callback makes the service poll earlier. If the answer to the submit was lost, the service also takes
   * the handle from the callback. A report that the task has succeeded or failed counts if the provider does not answer
   * the poll, does not know the task or its result, or can only assume that the task runs, and at the end of the job's
   * time. Outputs as bytes are not taken from it.
   * @param task the job's task, which the service always passes. Its `handle` is `null` before the answer to the submit.
   *   Return no report if the handle shows that the callback is about another task
   * @throws when the request is forged or too old
   */
  readCallback?(request: CallbackRequest, task?: RunningTask): Promise<Json | CallbackNews>

  /**
   * Names the job of a callback that came to the address of the provider, `/v1/callbacks/{provider}`: for vendors that send all
   * callbacks of an account to one address, which their console names. It verifies the callback first. The service then passes
   * the callback to `readCallback`, which such a provider has too.
   * @returns `undefined` when the callback is genuine and about something that no job of the service has begun
   * @throws when the request is forged or too old, or the vendor does not answer
   * @default callbacks come only to the addresses of jobs
   */
  jobOfCallback?(request: CallbackRequest, call: ProviderCall): Promise<string | undefined>

  /**
   * `true` says that the vendor's callbacks prove nothing themselves, because they are not signed. The secret in a
   * job's callback URL is then the proof: when a request to that URL arrives, the service polls the job and does not
   * read the body. The request names no task, so it can't recover a submit whose answer was lost. Providers with
   * `readCallback` leave this out.
   * @default false
   */
  readonly callbacksAreHints?: boolean | undefined

  /**
   * Reports the progress of a running task as soon as the vendor reports it, for example over a WebSocket. The service
   * calls `follow` while somebody watches the job in this process. The reports go to the watchers and change nothing
   * else: the state of the job comes from `poll`.
   * @param tell takes one report. It may be called at any time until the following ends. Watchers get at most four
   *   reports a second; of those that come sooner, only the last is passed on
   * @returns a function that ends the following. The service calls it once, as soon as nobody watches the job any more,
   *   the task no longer runs, or the service closes
   * @default watchers get only what `poll` reports
   */
  follow?(task: RunningTask, tell: (news: JobNews) => void): () => void

  /**
   * How long one call may take, in milliseconds, unless the model has its own `callTimeoutMs`.
   * @default 60000
   */
  readonly callTimeoutMs?: number | undefined

  /** How many jobs of this provider one process works on at a time, over all models. Further jobs wait. @default 100 */
  readonly maxConcurrentJobs?: number | undefined

  /**
   * Checks that the provider has what it needs on this machine, so that a wrong setting is found before the first job.
   * The service's `ready()` calls it. It may be called at any time and more than once. It starts no task and costs
   * nothing.
   * @default the provider needs nothing
   * @throws Error that says what is wrong and what to do. It is shown to the operator, never to clients
   */
  ready?(): Promise<void>

  /** Releases what the provider holds (worker threads, sockets). The service's `close()` calls it once. */
  close?(): Promise<void>
}
