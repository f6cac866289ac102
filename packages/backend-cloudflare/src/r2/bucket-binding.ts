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
  ): Promise<{ readonly body?: ReadableStream } | null>
  put(
    name: string,
    value: Uint8Array<ArrayBuffer>,
    options: R2ObjectMetadata & { readonly sha256: string },
  ): Promise<unknown>
  createMultipartUpload(name: string, options: R2ObjectMetadata): Promise<R2Upload>
  delete(name: string): Promise<void>
  list(options: { readonly prefix: string; readonly cursor?: string }): Promise<R2ListedObjects>
}

/** What R2 tells of an object without its content. */
export interface R2ObjectHead {
  /** In bytes. */
  readonly size: number
  /** Without quotation marks. */
  readonly etag: string
  readonly checksums: { toJSON(): { readonly sha256?: string } }
  readonly httpMetadata?: { readonly contentType?: string }
  readonly customMetadata?: Readonly<Record<string, string>>
}

/** What is stored with an object. */
export interface R2ObjectMetadata {
  readonly httpMetadata: { readonly contentType: string }
  readonly customMetadata?: Record<string, string>
}

/** An upload in parts (`R2MultipartUpload`). */
export interface R2Upload {
  uploadPart(partNumber: number, value: Uint8Array<ArrayBuffer>): Promise<{ readonly etag: string }>
  complete(parts: { partNumber: number; etag: string }[]): Promise<unknown>
  abort(): Promise<void>
}

/** One page of a list. */
export interface R2ListedObjects {
  readonly objects: readonly { readonly key: string }[]
  readonly truncated: boolean
  readonly cursor?: string
}
