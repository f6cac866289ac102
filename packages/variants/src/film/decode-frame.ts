/** A film whose first frame is wanted. */
export interface FilmToDecode {
  /** The file, to be read as far as necessary. */
  readonly body: ReadableStream<Uint8Array>
  /** Its media type, such as `video/mp4`, as the service has read it from the first bytes. */
  readonly contentType: string
  /** Aborts when the time is up. */
  readonly signal: AbortSignal
}

/**
 * Decodes the first frame of a film, which is a stranger's file: outside of this thread, with limits of time and memory.
 * @returns a PNG, JPEG or WebP picture
 * @throws why there is none, for the log. Clients learn that the film has no poster
 */
export type DecodeFrame = (film: FilmToDecode) => Promise<Uint8Array>
