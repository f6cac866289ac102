import { multipartUpload, type MultipartUpload, type Upload } from './multipart-upload.ts'
import type { Parts } from './parts-of.ts'

type Part = Uint8Array<ArrayBuffer>

const maxParts = 10_000

/**
 * Stores a file that has at least two parts. If that fails, it aborts the upload, so that the server no longer stores
 * and bills its parts.
 * @param rest the parts after the second
 * @throws the stream's error, BucketError, or the reason of the signal
 */
export async function uploadParts(target: Upload, first: Part, second: Part, rest: Parts): Promise<void> {
  const upload = await multipartUpload(target)
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
