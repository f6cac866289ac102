import {
  checkFileFetch,
  choice,
  type CheckedOptions,
  checkOptions,
  count,
  type FileFetch,
  longestTimerMs,
  optional,
  type OptionTable,
} from '@genmount/core'

/** The options of `openaiInterface`. */
export interface OpenaiInterfaceOptions {
  /**
   * How long a request waits for its pictures, in milliseconds. A request whose pictures take longer is answered with 504,
   * which names the job. At most 2147483647.
   * @default 600000 (10 minutes, as long as OpenAI's SDKs wait)
   */
  readonly waitMs?: number | undefined
  /**
   * What becomes of a field that neither OpenAI's API nor the model has: it is ignored, and named once in the log, or the
   * request is refused with 400.
   * @default 'ignore'
   */
  readonly unknownFields?: 'ignore' | 'refuse' | undefined
  /**
   * Fetches pictures that are only at the vendor, for clients that want `b64_json`: `guardedFetch` of
   * `@genmount/guarded-fetch`.
   * @default such pictures have a `url` instead of `b64_json`
   */
  readonly fetch?: FileFetch | undefined
}

const table = {
  waitMs: optional(count(1, longestTimerMs), 600_000),
  unknownFields: optional(choice('ignore', 'refuse'), 'ignore'),
  fetch: optional(checkFileFetch),
} satisfies OptionTable<OpenaiInterfaceOptions>

/** The checked options, with the defaults filled in. */
export type CheckedOpenaiOptions = CheckedOptions<typeof table>

/** @throws TypeError that names the wrong option and says what it accepts */
export function checkOpenaiOptions(options: OpenaiInterfaceOptions): CheckedOpenaiOptions {
  return checkOptions('openaiInterface', options, table)
}
