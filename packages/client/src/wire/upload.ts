/** The upload object, as the service gives it. Its `url` stands in an input wherever a URL may stand. */
export interface Upload {
  /** Begins with `up_`. */
  readonly id: string
  /** Always `upload`. */
  readonly object: 'upload'
  /** What stands in the input of a create: `upload://` and the id. */
  readonly url: string
  /** The media type that the service has found in the first bytes. */
  readonly content_type: string
  /** The size in bytes. */
  readonly bytes: number
  /** The SHA-256 in hexadecimal. `null` where the service does not know it. */
  readonly sha256: string | null
  /** When it was stored, as ISO 8601. */
  readonly created_at: string
  /** When it is deleted, as ISO 8601. */
  readonly expires_at: string
}
