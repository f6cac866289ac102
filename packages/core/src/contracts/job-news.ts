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
