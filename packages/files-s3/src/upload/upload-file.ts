import type { Upload } from './multipart-upload.ts'
import { type Parts, partsOf } from './parts-of.ts'
import { uploadParts } from './upload-parts.ts'

/**
 * The size of a part, in bytes. Every part except the last has exactly this size, because R2 requires it. S3 allows at
 * most 10,000 parts, which makes 78 GiB.
 */
const partBytes = 8 * 1024 * 1024

/**
 * Stores the whole file or nothing. A file of one part takes one request. For a longer stream, two parts are in memory
 * at a time.
 * @throws the stream's error, BucketError, or the reason of `signal`
 */
export async function uploadFile(
  upload: Upload,
  body: Uint8Array | ReadableStream<Uint8Array>,
): Promise<void> {
  const parts = partsOf(body, partBytes)
  const stop = () => void parts.cancel(upload.signal.reason).catch(() => {})
  upload.signal.addEventListener('abort', stop)
  try {
    await uploadFrom(upload, parts)
  } catch (error) {
    await parts.cancel(error).catch(() => {})
    throw error
  } finally {
    upload.signal.removeEventListener('abort', stop)
  }
}

async function uploadFrom(upload: Upload, parts: Parts): Promise<void> {
  const { bucket, name, headers, signal } = upload
  const first = await parts.next()
  const second = first?.byteLength === partBytes ? await parts.next() : undefined
  if (first && second) return uploadParts(upload, first, second, parts)
  const body = first ?? new Uint8Array()
  await bucket.send({ method: 'PUT', name, headers, body, right: 's3:PutObject', signal })
  parts.free(body)
}
