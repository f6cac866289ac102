import { checkMountUrl, count, type Check, optional } from '../errors/check-option.ts'
import { type CheckedOptions, checkOptions, type OptionTable } from '../errors/check-options.ts'

/** The options of the plugin `uploads`. */
export interface UploadOptions {
  /** The largest file that a client may upload, in bytes. @default 104857600 (100 MiB) */
  readonly maxBytes?: number | undefined
  /**
   * For how many hours an upload is kept: a whole number up to 8760. The time must be longer than `deadlineMs`. A job
   * accepts only uploads that live until its deadline. @default 24
   */
  readonly retentionHours?: number | undefined
  /**
   * How many uploads may arrive at the same time. An owner with an upload under way may start another one only if the
   * owner then uses at most as many places as are still free. Further uploads are refused as `capacity_exceeded`.
   * @default 16
   */
  readonly maxAtOnce?: number | undefined
  /**
   * The public URL at which the /v1 interface is mounted, such as `https://app.example/media`. If it is a public https URL,
   * and the file store has no links of its own, vendors read uploads there instead of getting them as data URIs.
   * @default vendors get data URIs, or links of the file store
   */
  readonly baseUrl?: string | undefined
}

const table = {
  maxBytes: optional(count(), 100 * 1024 * 1024),
  retentionHours: optional(count(1, 8760), 24),
  maxAtOnce: optional(count(), 16),
  baseUrl: optional(checkMountUrl),
} satisfies OptionTable<UploadOptions>

/** The checked options, with the defaults filled in. */
export type CheckedUploadOptions = CheckedOptions<typeof table>

/** Checks the options of the plugin `uploads`. */
export const checkUploadOptions: Check<CheckedUploadOptions> = (name, value) =>
  checkOptions(name, value, table)
