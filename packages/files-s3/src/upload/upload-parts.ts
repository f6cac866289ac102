import { multipartUpload, type MultipartUpload } from './multipart-upload.ts'
import type { Parts } from './parts-of.ts'
import type { Upload } from './upload-file.ts'

type Part = Uint8Array<ArrayBuffer>

const maxParts = 10_000

/**
 * Stores a file that has at least two parts. If that fails, aborts the upload, so that none of its parts is stored and
 * billed any longer.
 * @param rest the parts after the second
 * @throws the stream's error, BucketError, or the reason of the signal
 */
export async function uploadParts(target: Upload, first: Part, second: Part, rest: Parts): Promise<void> {
  const upload = await multipartUpload(target)
  try {
    await upload.complete(await sendParts(upload, first, second, rest))
  } catch (error) {
    // If this fails, too, the bucket's lifecycle rule aborts the upload.
    await upload.abort().catch(() => {})
    throw error
  }
}

/** @returns the ETags of the parts, in their order */
async function sendParts(upload: MultipartUpload, first: Part, second: Part, rest: Parts): Promise<string[]> {
  const etags: string[] = []
  let reading: Promise<Part | undefined> = Promise.resolve(second)
  for (let part: Part | undefined = first; part; reading = rest.next()) {
    // The stream is read on while this part is sent. If reading fails, that is noticed after the part.
    reading.catch(() => {})
    if (etags.length === maxParts) throw new RangeError(`A file may have ${maxParts} parts and has more.`)
    etags.push(await upload.send(etags.length + 1, part))
    rest.free(part)
    part = await reading
  }
  return etags
}
