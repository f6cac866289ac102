import { elementOf } from '../bucket/bucket-error.ts'
import type { Parts } from './parts-of.ts'
import type { Upload } from './upload-file.ts'

type Part = Uint8Array<ArrayBuffer>

const maxParts = 10_000
const right = 's3:PutObject'
/** The header by which an object shows from which upload it is. */
const markHeader = 'x-amz-meta-upload'

/**
 * Stores a file that has at least two parts by a multipart upload. If that fails, aborts the upload, so that none of its
 * parts is stored and billed any longer.
 * @param rest the parts after the second
 * @throws the stream's error, BucketError, or the reason of the signal
 */
export async function uploadParts(upload: Upload, first: Part, second: Part, rest: Parts): Promise<void> {
  const mark = crypto.randomUUID()
  const uploadId = await begin(upload, mark)
  try {
    const etags = await sendParts(upload, uploadId, first, second, rest)
    await complete(upload, uploadId, mark, etags)
  } catch (error) {
    // If this fails, too, the bucket's lifecycle rule aborts the upload.
    await abort(upload, uploadId).catch(() => {})
    throw error
  }
}

async function begin({ bucket, name, headers, signal }: Upload, mark: string): Promise<string> {
  const { text } = await bucket.send({
    method: 'POST',
    name,
    query: { uploads: '' },
    headers: { ...headers, [markHeader]: mark },
    right,
    signal,
  })
  const uploadId = elementOf(text, 'UploadId')
  if (uploadId === undefined) throw new Error(`Files in bucket ${bucket.name}: the server began no upload.`)
  return uploadId
}

async function sendParts(
  { bucket, name, signal }: Upload,
  uploadId: string,
  first: Part,
  second: Part,
  rest: Parts,
): Promise<string[]> {
  const etags: string[] = []
  let reading: Promise<Part | undefined> = Promise.resolve(second)
  for (let body: Part | undefined = first; body; reading = rest.next()) {
    // The stream is read on while this part is sent. If reading fails, that is noticed after the part.
    reading.catch(() => {})
    if (etags.length === maxParts)
      throw new RangeError(`Files in bucket ${bucket.name}: the file has more than ${maxParts} parts.`)
    const query = { partNumber: String(etags.length + 1), uploadId }
    const { headers } = await bucket.send({ method: 'PUT', name, query, body, right, signal })
    etags.push(headers.get('etag') ?? '')
    body = await reading
  }
  return etags
}

async function complete(
  { bucket, name, signal }: Upload,
  uploadId: string,
  mark: string,
  etags: readonly string[],
): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  )
  const xml = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`
  const body = new TextEncoder().encode(xml)
  try {
    await bucket.send({ method: 'POST', name, query: { uploadId }, body, right, signal })
  } catch (error) {
    // The answer to a try that completed the upload may be lost. The next try then finds no upload any more.
    const { headers } = await bucket
      .send({ method: 'HEAD', name, right: 's3:GetObject', signal })
      .catch(() => {
        throw error
      })
    if (headers.get(markHeader) !== mark) throw error
  }
}

async function abort({ bucket, name }: Upload, uploadId: string): Promise<void> {
  await bucket.send({ method: 'DELETE', name, query: { uploadId }, right: 's3:AbortMultipartUpload' })
}
