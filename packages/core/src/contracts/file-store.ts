/** Part of a file in bytes, both ends included, as HTTP counts them. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** A file that is there to be read. Holds nothing open until `read`: whoever opens it may let it go. */
export interface StoredFile {
  /** In bytes. */
  readonly size: number
  readonly contentType: string
  /** SHA-256 of the content in lower-case hexadecimal, from a store that has it at hand. The /v1 interface makes its ETag of it. */
  readonly sha256?: string
  /** Reads the file or a part of it; `range` lies within the file. Cancelling the stream releases everything. */
  read(range?: ByteRange): ReadableStream<Uint8Array<ArrayBuffer>>
}

/** The bounds of a fetch. */
export interface FetchLimits {
  /** Media types, `image/*` for all of a kind. */
  readonly accept: readonly string[]
  readonly maxBytes: number
  /** From the first look-up to the last byte. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** The mark of the owner for whom it is fetched, as in `ProviderTask`: where fetches wait, owners take turns. Not sent. */
  readonly owner?: string | undefined
}

/**
 * Fetches from a URL that somebody else chose, and takes care that it does not lead into the private network: the shape
 * of `guardedFetch`. The body fails where the transfer does or goes beyond the limits.
 * @throws Error when there is nothing to be had; `retryable: false` on it says that the next try would get no further
 */
export type FileFetch = (
  url: string,
  limits: FetchLimits,
) => Promise<{ readonly body: ReadableStream<Uint8Array> }>

/**
 * Where output bytes live. At least one of `link` and `open` is there: a store with `link` is read by the client
 * directly, one with `open` is served by the /v1 interface under a signed path.
 */
export interface FileStore {
  /**
   * Stores a file whole or not at all; the same key again replaces it. Bytes must not change until it settles, and are
   * not changed or kept. A stream gives `Uint8Array`s; one that is not read to its end is cancelled.
   * @throws the stream's own error, or why the file can't be kept; the key leads to what it led to before
   */
  put(key: string, body: Uint8Array | ReadableStream<Uint8Array>, contentType: string): Promise<void>

  /** An https URL that gives the file to whoever holds it, until `untilAt` (milliseconds since the Unix epoch). */
  link?(key: string, untilAt: number): Promise<string>

  /**
   * The file, or `undefined` when it is not there. Damage that shows only while reading fails the read.
   * @throws when the file can't be reached or is damaged; it can still be deleted and stored again
   */
  open?(key: string): Promise<StoredFile | undefined>

  /**
   * Gets what is to be copied here from a provider's link. A store without it keeps only outputs that providers give
   * as bytes.
   */
  readonly fetch?: FileFetch

  /** Deletes the file; deleting an unknown key does nothing. */
  delete(key: string): Promise<void>

  close?(): Promise<void>
}
