import type { ProviderFailure } from '../errors/error-codes.ts'
import type { Json } from './json.ts'
import type { ProviderTask } from './provider-task.ts'

/**
 * One output: a URL, or the bytes. The service reads the media type of a file that it stores from the first bytes of
 * the file. It recognises the usual pictures, films and sounds, and a drawing (`image/svg+xml`) by its first tag. If the
 * first bytes show no type, `contentType` counts if it is another type of picture or video, such as `image/x-tga`.
 * Otherwise the file is `application/octet-stream`. A text, such as a page or JSON, is no output, whatever its
 * `contentType`, and neither is a compressed file.
 */
export type Output = (
  | {
      /** An https URL on the public internet, from which the output can be fetched without credentials. */
      readonly url: string
    }
  | {
      /** The content. */
      readonly bytes: Uint8Array
    }
) & {
  /** The media type, such as `image/x-tga`, for the stored file. @default what the first bytes show */
  readonly contentType?: string | undefined
  /**
   * The prompt from which the vendor has made this output, if it has rewritten that of the client. The first 4,000
   * characters are kept.
   * @default the vendor does not say it
   */
  readonly revisedPrompt?: string | undefined
}

/** How many tokens a vendor has counted for a task. Whole numbers. */
export interface TaskTokens {
  /** All tokens of the input. */
  readonly input: number
  /** The tokens of the input that stand for pictures. @default 0 */
  readonly imageInput?: number | undefined
  /** All tokens of the output. */
  readonly output: number
  /** The tokens of the output that are text. @default 0 */
  readonly textOutput?: number | undefined
}

/**
 * A task that the provider has taken on and has not finished. Its news go to the clients that listen to the job at that
 * moment, and are not stored.
 */
export interface RunningReport extends JobNews {
  /** The provider has taken the task on and has not finished it. */
  readonly state: 'running'
  /**
   * With this, `poll` finds the task again, in any process. A handle that stays the same saves a write at each poll. Operators
   * find a job by its handle, if that is the vendor's id of the task as a text, or has it as the text `id`.
   */
  readonly handle: Json
  /**
   * `true` says that the vendor's answer does not show whether the task still runs, for example because only a callback
   * brings its result. The report of a callback then counts.
   * @default false
   */
  readonly isAssumed?: boolean | undefined
  /**
   * How long to wait before the next poll, in milliseconds. The service waits at least 20 and at most 600000.
   * @default the service decides
   */
  readonly pollAfterMs?: number | undefined
  /**
   * Outputs that the task has made so far and that no poll gives again, as bytes. The service stores them before it stores the
   * handle. They come before the outputs of all later reports, which do not repeat them.
   * @default none
   */
  readonly outputs?: readonly Output[] | undefined
  /**
   * What the task has cost so far, in US dollars, for a job that fails because the app refuses one of these `outputs`.
   * @default not known
   */
  readonly costUsd?: number | undefined
  /**
   * A further submit that the task needs. The service makes it at once. Only the report of a poll has it.
   * @default the task needs none
   */
  readonly furtherSubmit?: FurtherSubmit | undefined
}

/**
 * A further submit of a task that takes several. The service stores the `handle`, then calls the provider's `submit` once,
 * and at last stores what `reportOf` returns. So a poll that gets this `handle` knows that the outcome of the submit is lost.
 */
export interface FurtherSubmit {
  /** The handle that is stored before the submit. */
  readonly handle: Json
  /** What to submit. @param task the job's task, as its first submit got it */
  taskOf(task: ProviderTask): ProviderTask
  /**
   * The report on the whole task after the submit.
   * @param report of the submit: `refused` also when it was not made. `undefined` when its outcome is unknown
   */
  reportOf(report: ProviderReport | undefined): ProviderReport
}

/** A report after which nothing more happens to the task. */
export type FinalReport = Extract<ProviderReport, Record<'state', 'succeeded' | 'failed'>>

/** A provider's report on a task. */
export type ProviderReport =
  | RunningReport
  | {
      /** The provider has finished the task. */
      readonly state: 'succeeded'
      /**
       * At least one output. An output that is empty, or at a URL that is not accepted, is left out and named in the
       * log. The job fails as `output_invalid` only if no other output is left. A job keeps the first 1,000 outputs that
       * are accepted, and the log has the number of the others. If a poll brings no output at all, the service polls once
       * more before it fails the job.
       */
      readonly outputs: readonly Output[]
      /**
       * Outputs of the vendor that the provider has left out, because they can't be delivered: the place in the vendor's
       * answer, and what is wrong, such as `data[1] is empty`. They go to the log, not to the owner.
       * @default none
       */
      readonly omitted?: readonly string[] | undefined
      /** What the task has cost, in US dollars. This value is final. @default the cost is unknown, and clients see 0 */
      readonly costUsd?: number | undefined
      /**
       * How long the provider worked on the task, in milliseconds. This value is final.
       * @default the time since the submit began
       */
      readonly inferenceMs?: number | undefined
      /** The tokens that the vendor has counted. This value is final. @default the vendor counts none */
      readonly tokens?: TaskTokens | undefined
    }
  | {
      /** The task has failed and will not succeed when it is tried again. */
      readonly state: 'failed'
      /** Why it failed. */
      readonly code: ProviderFailure
      /** Why it failed, in words. Shown to the job's owner. */
      readonly message: string
      /** What the task has cost, in US dollars. @default what an earlier report said, otherwise 0 */
      readonly costUsd?: number | undefined
      /**
       * For a submit: the provider has not taken the task on, and the task is not the reason. The provider does not
       * accept the credentials of this service, the account has no credit left (401, 402, 403), or the provider does
       * not have the model (404, 410). If the model has other routes, the service tries those.
       * @default false
       */
      readonly isAccountAtFault?: boolean | undefined
      /** The error that led to the failure. Goes to the log, not to the owner. @default none */
      readonly cause?: unknown
      /** The HTTP status of the vendor's answer. Goes to the log, not to the owner. @default none */
      readonly status?: number | undefined
    }
  | {
      /**
       * The provider has not taken the task on, and nothing was spent: overload, rate limit, maintenance. The service
       * makes the same call again later. As the answer to a poll it means that there is no news.
       */
      readonly state: 'refused'
      /** Why it was refused, in words. Goes to the log, not to the owner. */
      readonly message: string
      /** The HTTP status of the vendor's answer. Goes to the log. @default none */
      readonly status?: number | undefined
      /** How long to wait before the next try, in milliseconds. At most an hour counts. @default the service decides */
      readonly retryAfterMs?: number | undefined
    }
  | {
      /**
       * For a poll: the provider does not know the task at this moment (a 404). This may be temporary, for example
       * after a deployment or when a replica lags behind. The service polls again. It fails the job as `provider_lost`
       * only when the answer has been the same for 5 minutes, and then twice more. While the provider knows the tasks of
       * none of five jobs in a row, these answers do not count.
       *
       * For `find`: the task has not been found so far and may still be found, for example because the vendor's list
       * lags behind. The service calls `find` again for a minute after the submit, and does not submit again. For a
       * submit: the same as a call that throws.
       */
      readonly state: 'unknown'
      /** The error message for the owner if the job fails as `provider_lost`. */
      readonly message: string
      /**
       * What the job has cost if it fails as `provider_lost`, in US dollars.
       * @default what an earlier report said, otherwise 0
       */
      readonly costUsd?: number | undefined
    }

/** A small preview of a task's output. */
export interface JobPreview {
  /** The content of the file, at most 65536 bytes (64 KiB). */
  readonly bytes: Uint8Array
  /** The media type: `image/png`, `image/jpeg`, `image/webp`, `image/gif` or `image/avif`. */
  readonly contentType: string
}

/**
 * The progress of a running job's task. The service passes it on to the clients that listen at that moment and never
 * stores it, so news may be lost and soon become outdated.
 */
export interface JobNews {
  /** The part of the work that is done, from 0 to 1. @default the provider does not report it */
  readonly progress?: number | undefined
  /**
   * The number of tasks in front of this one: 0 for the next task.
   * @default the task does not wait, or the provider does not report it
   */
  readonly queuePosition?: number | undefined
  /** A preview of the output so far. @default the provider shows no preview */
  readonly preview?: JobPreview | undefined
}
