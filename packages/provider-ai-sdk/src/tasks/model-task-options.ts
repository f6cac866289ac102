import {
  callable,
  checkFileFetch,
  checkLog,
  choice,
  count,
  type FileFetch,
  listOf,
  type Log,
  optional,
  type OptionTable,
  type ProviderTask,
  text,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import type { AiSdkResult } from '../models/ai-sdk-model.ts'

/** The options of `modelTasks`. */
export interface ModelTaskOptions {
  /**
   * The vendors' keys, which are taken out of all texts and URLs of the vendors. Other keys are recognised by their
   * form only.
   * @default none
   */
  readonly secrets?: readonly string[] | undefined
  /**
   * The largest video that this process downloads, in bytes. It downloads videos that open only with the vendor's key.
   * @default 268435456 (256 MiB)
   */
  readonly maxOutputBytes?: number | undefined
  /** Fetches the videos that open only with the vendor's key. @default guardedFetch */
  readonly fetchFile?: FileFetch | undefined
  /** Gets each warning of a model once for each model and kind. @default `console` */
  readonly log?: Log | undefined
  /**
   * What becomes of a task when the model says in its `warnings` that it ignores a part of the call. `log`: the output
   * is delivered. `refuse`: the task fails as `provider_rejected` with the model's words and its cost; later tasks with
   * the same settings are refused by this process before anything is spent. The log has the warnings in either case.
   * @default 'log'
   */
  readonly onWarning?: 'log' | 'refuse' | undefined
  /**
   * Counts what a finished task has cost, in US dollars. When it throws or returns no amount, the cost is unknown.
   * @default the cost is unknown
   */
  readonly costOf?:
    | ((task: ProviderTask, result: AiSdkResult, outputs: number) => number | undefined)
    | undefined
}

/** The checks of the {@link ModelTaskOptions}, for the tables of a provider's options. */
export const modelTaskOptions = {
  /** Checks `secrets`. */
  secrets: optional(listOf('a list of texts', text()), []),
  /** Checks `maxOutputBytes`. */
  maxOutputBytes: optional(count(), 256 * 1024 * 1024),
  /** Checks `fetchFile`. */
  fetchFile: optional(checkFileFetch, guardedFetch),
  /** Checks `log`. */
  log: optional(checkLog),
  /** Checks `onWarning`. */
  onWarning: optional(choice('log', 'refuse'), 'log'),
  /** Checks `costOf`. */
  costOf: optional(callable<NonNullable<ModelTaskOptions['costOf']>>('(task, result, outputs) => 0.04')),
} satisfies OptionTable<ModelTaskOptions>
