import type { Job } from '../wire/job.ts'

/** The options of `createClient`. */
export interface ClientOptions {
  /**
   * The address of the service in front of `/v1`, such as `https://example.org/media`. In a page, `''` and paths such as
   * `/media` stand for the page's own origin.
   */
  readonly baseUrl: string
  /**
   * The API key, or a function that the client calls for the key before each request. The client sends the key to
   * `baseUrl` and nowhere else.
   * @default no key is sent, for pages whose users are known by a cookie
   */
  readonly apiKey?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Sends the requests. @default the runtime's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * How many times at most the client sends a request again after a network error, a time-out, one of the statuses
   * 408, 425, 429 and from 500 on, such as Cloudflare's 520 to 530, or the error `idempotency_in_progress`. It does not
   * send it again after the service's own `internal_error`, 501, 505 or `insufficient_quota`, or if the service asks
   * for a pause of more than 60 seconds. The upload of a stream is never sent again.
   * @default 5
   */
  readonly maxRetries?: number | undefined
  /**
   * How long the client waits for the headers of an answer, and then for its body, in milliseconds, before it gives the
   * request up. It must be longer than the time for which the service holds waiting requests open, by default 55 s.
   * Uploads and downloads have no such limit.
   * @default 120000
   */
  readonly timeoutMs?: number | undefined
}

/** The options of most calls. */
export interface CallOptions {
  /** Ends the call at once, with the error `aborted`. @default the call can't be aborted */
  readonly signal?: AbortSignal | undefined
}

/** The options of `download`: another form of the file, if the service has the plugin `variants`. */
export interface DownloadOptions extends CallOptions {
  /** The width of the picture in pixels, from 1 to 2048. The service rounds it up, and never enlarges. @default its own */
  readonly width?: number | undefined
  /** The format of the picture. @default its own; `jpeg` for a poster */
  readonly format?: 'avif' | 'jpeg' | 'png' | 'webp' | undefined
  /** Asks for the first frame of a film. @default the film */
  readonly poster?: boolean | undefined
}

/** How far a job is, as reported by its provider. */
export interface GenerationProgress {
  /** The part of the work that is done, from 0 to 1. */
  readonly progress: number | undefined
  /** The number of tasks in front of this one in the provider's queue. */
  readonly queuePosition: number | undefined
  /** The latest small preview of the output, as a data URI for `<img src>`. */
  readonly preview: string | undefined
}

/** The options of calls that follow a job. */
export interface WaitOptions extends CallOptions {
  /**
   * Called with each progress report of the provider while the job runs. A provider that reports no progress never
   * causes a call.
   * @default no callback
   */
  readonly onProgress?: ((progress: GenerationProgress) => void) | undefined
  /** Called with the job as soon as its id is known, and after each change of the job. @default no callback */
  readonly onJob?: ((job: Job) => void) | undefined
}

/** The options of an estimate. */
export interface EstimateOptions extends CallOptions {
  /**
   * A limit that the call sets itself, in US dollars: the service refuses the job as `insufficient_quota` if the jobs of the
   * key would cost more in 24 hours, or all jobs of the owner where the service gives keys no ids. A service that can't hold
   * it refuses the call. One of a release without estimates makes the job of a create nevertheless.
   * @default only the limits of the service
   */
  readonly spendUsdPerDay?: number | undefined
}

/** The options of a create. */
export interface CreateOptions extends EstimateOptions {
  /**
   * Two creates with the same key and the same input make one job.
   * @default a random key for each call, which all retries of the call share
   */
  readonly idempotencyKey?: string | undefined
}

/** The options of `generate`. */
export interface GenerateOptions extends CreateOptions, WaitOptions {
  /**
   * Whether the client cancels the job when `signal` aborts. It sends the cancel in the background.
   * @default false: the job continues, and its price is charged
   */
  readonly cancelOnAbort?: boolean | undefined
}

/** The options of an upload. */
export interface UploadOptions extends CallOptions {
  /**
   * The media type that the client declares. The service trusts the first bytes of the file instead.
   * @default the type of the blob, or `application/octet-stream`
   */
  readonly type?: string | undefined
}
