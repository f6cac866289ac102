import type { Job } from '../wire/job.ts'

/** The options of `createClient`. */
export interface ClientOptions {
  /**
   * The address of the service in front of `/v1`, such as `https://example.org/media`. In a page, `''` and paths such as
   * `/media` stand for the page's own origin.
   */
  readonly baseUrl: string
  /**
   * The API key, or a function that is asked for it before each request. It is sent to `baseUrl` and nowhere else.
   * @default no key is sent, for pages whose cookies say who they are
   */
  readonly apiKey?: string | (() => string | undefined | Promise<string | undefined>) | undefined
  /** Sends the requests. @default the runtime's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * How often a request is sent again at most, where that is safe: after network faults, 408, 429, 502, 503 and 504.
   * @default 5
   */
  readonly maxRetries?: number | undefined
  /**
   * After how many milliseconds without an answer a request counts as lost. It must be longer than the service holds
   * requests that wait, which is 55 seconds by default. Uploads and downloads have no such limit. @default 120000
   */
  readonly timeoutMs?: number | undefined
}

/** What most calls take. */
export interface CallOptions {
  /** Ends the call at once, with the error `aborted`. @default the call goes on to its end */
  readonly signal?: AbortSignal | undefined
}

/** How far a job is, as far as its provider tells. */
export interface GenerationProgress {
  /** How much of the work is done, from 0 to 1. */
  readonly progress: number | undefined
  /** How many tasks come first. */
  readonly queuePosition: number | undefined
  /** The latest small picture of what has been made so far, as a data URI for `<img src>`. */
  readonly preview: string | undefined
}

/** What calls take that follow a job. */
export interface WaitOptions extends CallOptions {
  /** Called with what the provider tells while the job runs. It may never be called. @default nobody is told */
  readonly onProgress?: ((progress: GenerationProgress) => void) | undefined
  /** Called with the job as soon as its id is known, and whenever it looks different. @default nobody is told */
  readonly onJob?: ((job: Job) => void) | undefined
}

/** What a create takes. */
export interface CreateOptions extends CallOptions {
  /**
   * Two creates with the same key and input make one job. @default a random key for each call, which all its retries have
   */
  readonly idempotencyKey?: string | undefined
}

/** What `generate` takes. */
export interface GenerateOptions extends CreateOptions, WaitOptions {
  /**
   * Whether the job is cancelled when `signal` aborts. The cancel is sent in the background.
   * @default false: the job goes on, and costs what it costs
   */
  readonly cancelOnAbort?: boolean | undefined
}

/** What an upload takes. */
export interface UploadOptions extends CallOptions {
  /** The media type. The service goes by the first bytes. @default that of the blob, or `application/octet-stream` */
  readonly type?: string | undefined
}
