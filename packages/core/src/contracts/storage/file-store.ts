/** A part of a file. Both positions are included, as in HTTP (RFC 9110 section 14.1.2). */
export interface ByteRange {
  /** The position of the first byte, counted from 0. */
  readonly start: number
  /** The position of the last byte, counted from 0. */
  readonly end: number
}

/** A file in a file store. It holds nothing open until `read` is called, so a caller may drop it without closing it. */
export interface StoredFile {
  /** The size of the whole file, in bytes. */
  readonly size: number
  /** The media type with which the file was stored, such as `video/mp4`. */
  readonly contentType: string
  /**
   * The SHA-256 of the content in lower-case hexadecimal, from which the /v1 interface makes the `ETag`. Present only
   * if the store knows it without reading the file.
   */
  readonly sha256?: string
  /**
   * Reads the file, or a part of it. Cancelling the stream releases everything that it holds.
   * @param range lies within the file. The whole file when left out
   */
  read(range?: ByteRange): ReadableStream<Uint8Array<ArrayBuffer>>
}

/** The limits of one fetch. */
export interface FetchLimits {
  /** The accepted media types, such as `image/png`, or `image/*` for every image type. */
  readonly accept: readonly string[]
  /** The most bytes that the body may have. */
  readonly maxBytes: number
  /** How long the fetch may take, from looking up the host to the last byte, in milliseconds. */
  readonly timeoutMs: number
  /** Aborting it ends the fetch. */
  readonly signal: AbortSignal
  /**
   * The mark of the owner whose output is fetched, the same as `ProviderTask.owner`. When fetches have to wait, the
   * owners take turns. The mark is never sent.
   * @default all fetches without a mark count as those of one owner
   */
  readonly owner?: string | undefined
}

/**
 * Fetches a file from a URL that a client or provider has chosen, and refuses addresses of private networks.
 * `guardedFetch` is such a function. The stream in `body` fails when the transfer breaks or exceeds the limits.
 * @throws Error when the file can't be fetched. `retryable: false` on the error says that another try would fail too
 */
export type FileFetch = (
  url: string,
  limits: FetchLimits,
) => Promise<{
  /** The content of the file. */
  readonly body: ReadableStream<Uint8Array>
  /** The media type that the server claims. What it calls a page is never kept as an output. @default none is claimed */
  readonly contentType?: string | undefined
}>

/** What the service knows about a file that it stores. A store may ignore it. */
export interface FileDetails {
  /** The owner of the file. A store with little room shares it among the owners. @default all such files have one owner */
  readonly owner?: string | undefined
  /**
   * A name for the file where somebody saves it, without extension: letters, digits and hyphens. @default the key
   */
  readonly name?: string | undefined
  /**
   * How many bytes the stream will probably have. A store can then refuse a file that does not fit before it arrives.
   * @default unknown
   */
  readonly expectedBytes?: number | undefined
}

/**
 * Stores the bytes of outputs. A store has `link`, `open`, or both: clients read from a store with `link` directly, and
 * the /v1 interface serves the files of a store with `open` under a signed path.
 */
export interface FileStore {
  /**
   * Stores the whole file or nothing. Replaces an earlier file with the same key.
   * @param body bytes, which the caller must not change before the promise settles, and which the store neither changes
   *   nor keeps; or a stream of `Uint8Array`, which the store reads to its end or cancels
   * @param details who owns the file, and how long it will be. A store that wraps another one passes them on
   * @throws the stream's error, or why the file can't be stored: a GenerationError `capacity_exceeded` if the store has no
   *   room for it at the moment. An earlier file with the same key then stays
   */
  put(
    key: string,
    body: Uint8Array | ReadableStream<Uint8Array>,
    contentType: string,
    details?: FileDetails,
  ): Promise<void>

  /**
   * An https URL from which anybody who knows it can read the file until `untilAt` (milliseconds since the Unix epoch).
   */
  link?(key: string, untilAt: number): Promise<string>

  /**
   * Finds a file. If the store finds damage only while it reads the file, the stream of that read fails.
   * @returns the file, or `undefined` when the store has none with this key
   * @throws when the file can't be reached or is damaged. Such a file can still be deleted and stored again
   */
  open?(key: string): Promise<StoredFile | undefined>

  /**
   * Fetches outputs from the links of providers, so that the service can copy them into this store. Without it the
   * store keeps only the outputs that providers report as bytes.
   * @default none
   */
  readonly fetch?: FileFetch

  /** Deletes the file. Does nothing when the store has none with this key. */
  delete(key: string): Promise<void>

  /**
   * The keys of the stored files that begin with `prefix`, in any order. The store must list only keys of this form: a
   * word of lower-case letters, a slash, and a name of lower-case letters, digits and hyphens. A file that is stored or
   * deleted during the listing may be listed or not. The plugin `uploads` needs it.
   * @default the store can't list its files
   * @param prefix the word, the slash, and the beginning of the name, such as `uploads/` or `uploads/0199`
   * @throws when the store can't be reached
   */
  list?(prefix: string): AsyncIterable<string>

  /**
   * Checks that files can be stored, so that a wrong setting is found before the first output. The service's `ready()`
   * calls it. It may be called at any time and more than once, and leaves nothing behind.
   * @default the store needs nothing
   * @throws Error that says what is wrong and what to do. It is shown to the operator, never to clients
   */
  ready?(): Promise<void>

  /** Releases everything that the store holds. The service's `close()` calls it once. */
  close?(): Promise<void>
}
