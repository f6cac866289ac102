/** A request in the form that is the same for every host. An adapter makes it from the request of its host. */
export interface V1Request<Host extends object = object> {
  /** The HTTP method in upper case. */
  readonly method: string
  /**
   * The result of `v1Path`: path and query from `/v1` on, `undefined` for a path that does not belong to the
   * interface.
   */
  readonly path: string | undefined
  /** The request target as it has arrived. A 404 names its path. @default the 404 names `path` */
  readonly target?: string
  /** Where the interface is mounted on its host: `''` or a path such as `/media`. */
  readonly mountPath: string
  /**
   * How the request reached this process. A proxy in front of it may have received the request by another
   * scheme.
   */
  readonly scheme: 'http' | 'https'
  /**
   * The value of a header. The name is in lower case. The values of several headers of one name are joined by
   * `', '`.
   */
  header(name: string): string | undefined
  /** All headers by their names in lower case, with the values that `header` returns. */
  headers(): Readonly<Record<string, string>>
  /** What the host passes to `authenticate` with `credentials: 'any'`. @default nothing */
  readonly fromHost?: Host | undefined
  /**
   * The body. The interface calls this at most once, and never for a request that it refuses without reading the body.
   */
  body(): V1Body
  /**
   * Calls `leave` when the client closes the connection before it has its answer. Absent when the host can't detect
   * this.
   * @returns a function that removes the listener
   */
  onLeave?(leave: () => void): () => void
}

/** A body that is still to be read, or the value of a body that the app has already read and parsed. */
export type V1Body = BodyReader | ParsedBody

/** Reads a request body piece by piece. */
export interface BodyReader {
  /**
   * Returns the next piece, or `done: true` at the end. It returns no promise if the host already has the piece. It
   * rejects when the body breaks off. Its form is that of `ReadableStreamDefaultReader.read` and of the `next` of an
   * iterator.
   */
  read(): BodyPiece | Promise<BodyPiece>
  /**
   * How many pieces the client has sent so far. Only for hosts that count pieces, if their `read` may join several
   * pieces into one.
   * @default the number of reads
   */
  pieces?(): number
  /** Called once when nothing more will be read, even after the whole body was read. */
  cancel(): void
}

/** The result of one read of a body. */
export interface BodyPiece {
  /** Whether the body has ended. */
  readonly done?: boolean | undefined
  /** The bytes of the piece. */
  readonly value?: Uint8Array | undefined
}

/** A body that the app has already read and parsed, for example with `express.json()`. */
export interface ParsedBody {
  /** The parsed JSON value. */
  readonly value: unknown
}

/** The answer that the adapter sends through its host. */
export interface V1Reply {
  /** The HTTP status. */
  readonly status: number
  /** The headers by their names in lower case. The host adds `content-length` for a body of text. */
  readonly headers: Record<string, string>
  /**
   * Text, a stream of bytes, or text that is produced while it is sent, for which `textStream` makes a stream. Absent
   * for an answer without a body.
   */
  readonly body?: string | ReadableStream<Uint8Array<ArrayBuffer>> | TextSource
}

/**
 * Text that is produced while it is sent. It is used instead of a stream because it takes much less memory, and
 * thousands may be open at the same time.
 */
export interface TextSource {
  /**
   * The next piece, as soon as there is one; `undefined` at the end. Never rejects. Call it again only when the piece
   * has been passed to the client's connection: until then new text is joined into one piece, so that a slow client
   * takes no memory.
   */
  next(): Promise<string | undefined>
  /** Ends the text, because its client has disconnected. It may be called at any time and more than once. */
  cancel(): void
}
