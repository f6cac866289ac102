import { type Parts, partsOf } from './parts-of.ts'

/** An object of an object storage that is about to be stored. Every function rejects with the error of the storage. */
export interface ObjectTarget {
  /** Stores the object whole. */
  put(body: Uint8Array<ArrayBuffer>): Promise<void>
  /** Begins an upload in parts. */
  begin(): Promise<MultipartUpload>
  /** Aborting it lets go of the stream that is being stored. @default the storage is not interrupted */
  readonly signal?: AbortSignal | undefined
}

/**
 * An upload in parts that has begun. The storage keeps its parts, and bills them, until the upload is completed or
 * aborted.
 */
export interface MultipartUpload {
  /** Stores a part. @param partNumber counted from 1 @returns its ETag */
  send(partNumber: number, body: Uint8Array<ArrayBuffer>): Promise<string>
  /** Makes the object of the parts. @param etags those of all parts, in their order */
  complete(etags: readonly string[]): Promise<void>
  /** Deletes the parts. */
  abort(): Promise<void>
}

type Part = Uint8Array<ArrayBuffer>

/**
 * The size of a part, in bytes. Every part except the last has exactly this size, because R2 requires it. S3 and R2 allow
 * at most 10,000 parts, which makes 78 GiB.
 */
const partBytes = 8 * 1024 * 1024
const maxParts = 10_000

/**
 * Stores a whole object or nothing: one of up to 8 MiB by `put`, and a longer one by an upload in parts, which is aborted
 * if anything fails. Of a long stream, two parts are in memory at a time.
 * @throws the stream's error, or that of the storage
 */
export async function storeInParts(
  target: ObjectTarget,
  body: Uint8Array | ReadableStream<Uint8Array>,
): Promise<void> {
  const { signal } = target
  const parts = partsOf(body, partBytes)
  const stop = () => void parts.cancel(signal?.reason).catch(() => {})
  signal?.addEventListener('abort', stop)
  try {
    await storeParts(target, parts)
  } catch (error) {
    await parts.cancel(error).catch(() => {})
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

async function storeParts(target: ObjectTarget, parts: Parts): Promise<void> {
  const first = await parts.next()
  const second = first?.byteLength === partBytes ? await parts.next() : undefined
  if (first && second) return uploadParts(target, first, second, parts)
  const body = first ?? new Uint8Array()
  await target.put(body)
  parts.free(body)
}

async function uploadParts(target: ObjectTarget, first: Part, second: Part, rest: Parts): Promise<void> {
  const upload = await target.begin()
  try {
    await upload.complete(await sendParts(upload, first, second, rest))
  } catch (error) {
    // If the abort fails as well, the bucket's lifecycle rule ends the upload.
    await upload.abort().catch(() => {})
    throw error
  }
}

/** @returns the ETags of the parts, in their order */
async function sendParts(upload: MultipartUpload, first: Part, second: Part, rest: Parts): Promise<string[]> {
  const etags: string[] = []
  let reading: Promise<Part | undefined> = Promise.resolve(second)
  for (let part: Part | undefined = first; part; reading = rest.next()) {
    // The next part is read while this part is sent. An error of reading is handled after the part.
    reading.catch(() => {})
    if (etags.length === maxParts) throw new RangeError(`A file may have ${maxParts} parts and has more.`)
    etags.push(await upload.send(etags.length + 1, part))
    rest.free(part)
    part = await reading
  }
  return etags
}
