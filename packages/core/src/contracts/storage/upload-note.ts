/** How many bytes an upload takes in the file store. Instants are milliseconds since the Unix epoch. */
export interface UploadNote {
  /** The key of the upload's file in the file store, different for each upload. */
  readonly key: string
  /** Whose upload it is. */
  readonly owner: string
  /** How many bytes it takes. */
  readonly bytes: number
  /** From when on the bytes no longer count. */
  readonly expiresAt: number
  /** When this was noted. */
  readonly notedAt: number
}
