/** The upload object, as the service sends it. Its `url` can be used in an input wherever a URL is accepted. */
export interface Upload {
  /** Begins with `up_`. */
  readonly id: string
  /** Always `upload`. */
  readonly object: 'upload'
  /** The value for the input of a create: `upload://` and the id. */
  readonly url: string
  /** The media type, which the service reads from the first bytes. */
  readonly content_type: string
  /** The size in bytes. */
  readonly bytes: number
  /** The SHA-256 in hexadecimal. `null` if the service does not know it. */
  readonly sha256: string | null
  /** When the file was stored, as ISO 8601. */
  readonly created_at: string
  /** When the service deletes it, as ISO 8601. */
  readonly expires_at: string
}
