/** A request as the interface sees it, whatever host it came in on. */
export interface V1Request {
  /** In upper case. */
  readonly method: string
  /** What `v1Path` makes of the request target; `undefined` for a path that is not the interface's. */
  readonly path: string | undefined
  /** Where the interface is mounted on its host: `''` or a path such as `/media`. */
  readonly mountPath: string
  readonly scheme: 'http' | 'https'
  /** The value of a header by its name in lower case; several headers of one name are joined by `', '`. */
  header(name: string): string | undefined
  /** All headers, as `header` gives each. */
  headers(): Readonly<Record<string, string>>
  /** The body, asked for once at the most, and not at all when the request is refused for another reason. */
  body(): V1Body
  /** Calls `leave` when the client goes away; returns a function that takes this back. */
  onLeave?(leave: () => void): () => void
}

/** A body still to be read, or one that the host has already read and parsed. */
export type V1Body = BodyReader | ParsedBody

export interface BodyReader {
  /** The next piece; rejects when the body breaks off. A `ReadableStreamDefaultReader` and an iterator both fit. */
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>
  /**
   * How many pieces the client has sent so far, where the host can tell: `read` may give several of them in one.
   * @default as many as were read
   */
  pieces?(): number
  /** Called once, when no more is wanted, read to the end or not. */
  cancel(): void
}

export interface ParsedBody {
  readonly value: unknown
}

/** What the host is to answer. */
export interface V1Reply {
  readonly status: number
  /** Names in lower case. The length of a body of text is left to the host. */
  readonly headers: Record<string, string>
  /** Absent: no body. */
  readonly body?: string | ReadableStream<Uint8Array<ArrayBuffer>>
}
