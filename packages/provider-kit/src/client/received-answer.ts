/**
 * An answer of any status, as it arrived. A success has its whole body. Of an error only the first MiB is kept, because
 * its status is what matters.
 */
export interface ReceivedAnswer {
  /** Whether the status is 200 to 299. */
  readonly ok: boolean
  /** The HTTP status. */
  readonly status: number
  /** The headers as they arrived. Credentials that the vendor repeats are not taken out. */
  readonly headers: Headers
  /** The body as it arrived. Credentials that the vendor repeats are not taken out. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The body as a text, without credentials and callback URL. */
  readonly text: string
  /**
   * The body parsed as JSON, without credentials and callback URL; `undefined` when it is not JSON, and for an error
   * whose JSON has more than 100000 keys and values or more than 64 levels.
   */
  readonly json: unknown
}
