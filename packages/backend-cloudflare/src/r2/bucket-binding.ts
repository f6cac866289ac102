/**
 * The part of an R2 binding (`R2Bucket` of Cloudflare's types) that the store uses.
 * @see https://developers.cloudflare.com/r2/api/workers/workers-api-reference/ (2026-11-27)
 */
export interface R2BucketBinding {
  /** @returns `null` when there is no such object */
  head(name: string): Promise<R2ObjectHead | null>
  /** @returns an object without `body` when the condition does not hold, and `null` when there is no such object */
  get(
    name: string,
    options: {
      readonly range?: { readonly offset: number; readonly length: number }
      readonly onlyIf: { readonly etagMatches: string }
    },
  ): Promise<R2ObjectContent | null>
  /** Stores an object whole. It fails when the bytes do not have this hash, as 64 hexadecimal digits. */
  put(
    name: string,
    value: Uint8Array<ArrayBuffer>,
    options: R2ObjectMetadata & { readonly sha256: string },
  ): Promise<unknown>
  /** Begins to store an object in parts. */
  createMultipartUpload(name: string, options: R2ObjectMetadata): Promise<R2Upload>
  /** Deletes an object, if there is one. */
  delete(name: string): Promise<void>
  /** Lists the objects whose names begin with the prefix, from the cursor of the page before. */
  list(options: { readonly prefix: string; readonly cursor?: string }): Promise<R2ListedObjects>
}

/** What R2 answers to a `get`. */
export interface R2ObjectContent {
  /** The bytes. Absent when the condition does not hold. */
  readonly body?: ReadableStream
}

/** What R2 tells of an object without its content. */
export interface R2ObjectHead {
  /** In bytes. */
  readonly size: number
  /** Without quotation marks. */
  readonly etag: string
  /** The hashes that R2 knows. */
  readonly checksums: R2Checksums
  /** The type with which it was stored. */
  readonly httpMetadata?: Partial<R2HttpMetadata>
  /** What else was stored with it. */
  readonly customMetadata?: Readonly<Record<string, string>>
}

/** The hashes of an object. */
export interface R2Checksums {
  /** @returns the SHA-256 as 64 hexadecimal digits, if the object was stored whole */
  toJSON(): R2Hashes
}

/** The hashes of an object, as texts. */
export interface R2Hashes {
  /** 64 hexadecimal digits. */
  readonly sha256?: string
}

/** The headers that are stored with an object. */
export interface R2HttpMetadata {
  /** Its MIME type. */
  readonly contentType: string
}

/** What is stored with an object. */
export interface R2ObjectMetadata {
  /** The headers of the object. */
  readonly httpMetadata: R2HttpMetadata
  /** Further texts by their names. */
  readonly customMetadata?: Record<string, string>
}

/** An upload in parts (`R2MultipartUpload`). */
export interface R2Upload {
  /** Stores a part. The first has the number 1. */
  uploadPart(partNumber: number, value: Uint8Array<ArrayBuffer>): Promise<R2UploadedPart>
  /** Makes the object of the parts. */
  complete(parts: { partNumber: number; etag: string }[]): Promise<unknown>
  /** Deletes the parts. */
  abort(): Promise<void>
}

/** A part that is stored. */
export interface R2UploadedPart {
  /** What `complete` needs to know of it. */
  readonly etag: string
}

/** One page of a list. */
export interface R2ListedObjects {
  /** The objects of this page. */
  readonly objects: readonly R2ListedObject[]
  /** Whether there are further pages. */
  readonly truncated: boolean
  /** Where the next page begins. */
  readonly cursor?: string
}

/** An object in a list. */
export interface R2ListedObject {
  /** Its name. */
  readonly key: string
}
