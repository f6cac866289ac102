import type { Job } from '../job.ts'
import type { JsonObject } from '../json.ts'

/** The file of an output that is about to be stored. */
export interface OutputFile {
  /** The job. */
  readonly job: Job
  /** The place of the output among those of the job, counted from 0. */
  readonly index: number
  /** The media type that the service has read from the first bytes of the file, such as `image/png`. */
  readonly contentType: string
}

/**
 * Changes a file while it passes. It must not gather the file in memory, because a film may have
 * gigabytes. If it throws, or its stream fails although the one that it gets has not, the file is stored again
 * without this change, and the error goes to the log. For bytes of a provider that also happens after 5 minutes.
 * @param body the file, or what the change before has made of it, to be read to its end
 */
export type OutputChange = (body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>

/** Reads the file of one output while it goes into the file store. */
export interface OutputReading {
  /**
   * Gets the next bytes of the file, which goes on when this has returned or resolved, within 10 seconds.
   * @param bytes must be neither changed nor kept
   */
  read(bytes: Uint8Array): void | Promise<void>
  /**
   * Called once, when the whole file is read and stored. It may take 10 seconds.
   * @returns what the job keeps as `facts` of the output, in a few hundred bytes of JSON; `undefined` to keep nothing
   */
  facts(): JsonObject | undefined | Promise<JsonObject | undefined>
}

/** Why outputs can't be stored. The job fails, with what it has cost. */
export interface OutputObjection {
  /** The code with which the job fails. */
  readonly code: 'content_policy' | 'service_failed'
  /** The reason in words, shown to the owner. */
  readonly message: string
}
