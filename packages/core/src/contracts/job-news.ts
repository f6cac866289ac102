/** A small picture of what a task has made so far. */
export interface JobPreview {
  /** The content of the file, at most 65536 bytes (64 KiB). */
  readonly bytes: Uint8Array
  /** The media type: `image/png`, `image/jpeg`, `image/webp`, `image/gif` or `image/avif`. */
  readonly contentType: string
}

/**
 * How far the task of a running job is. It is told to those who listen at that moment and never stored, so it may be lost
 * and is out of date soon.
 */
export interface JobNews {
  /** How much of the work is done, from 0 to 1. @default the provider does not tell */
  readonly progress?: number | undefined
  /** How many tasks come first: 0 for the task that is next. @default the task does not wait, or the provider does not tell */
  readonly queuePosition?: number | undefined
  /** What the task has made so far. @default the provider shows nothing */
  readonly preview?: JobPreview | undefined
}
