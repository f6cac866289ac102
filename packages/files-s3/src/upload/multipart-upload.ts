import type { MultipartUpload } from '@genmount/core/object-storage'
import { elementOf } from '../bucket/bucket-error.ts'
import type { S3Bucket } from '../bucket/s3-bucket.ts'

/** The target of an upload. */
export interface UploadTarget {
  readonly bucket: S3Bucket
  /** The name of the object. */
  readonly name: string
  /** Headers that are stored with the object, such as `content-type`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Aborting it ends every request except that of `abort`. */
  readonly signal?: AbortSignal
}

const right = 's3:PutObject'
/** The header that shows from which upload an object was made. */
const markHeader = 'x-amz-meta-upload'

/** Begins an upload in parts. @throws BucketError, or the reason of `signal` */
export async function multipartUpload(target: UploadTarget): Promise<MultipartUpload> {
  const { bucket, name, headers, signal } = target
  const ask = { name, right, ...(signal && { signal }) }
  const mark = crypto.randomUUID()
  const marked = { ...headers, [markHeader]: mark }
  const begun = await bucket.send({ ...ask, method: 'POST', query: { uploads: '' }, headers: marked })
  const uploadId = elementOf(begun.text, 'UploadId')
  if (uploadId === undefined) throw new Error(`Files in bucket ${bucket.name}: the server began no upload.`)

  return {
    async send(partNumber, body) {
      const query = { partNumber: String(partNumber), uploadId }
      const { headers: answered } = await bucket.send({ ...ask, method: 'PUT', query, body })
      return answered.get('etag') ?? ''
    },

    async complete(etags) {
      const body = new TextEncoder().encode(completion(etags))
      try {
        await bucket.send({ ...ask, method: 'POST', query: { uploadId }, body })
      } catch (error) {
        // The answer to a try that completed the upload may be lost. The next try then finds no upload.
        const stored = await bucket
          .send({ ...ask, method: 'HEAD', right: 's3:GetObject' })
          .catch(() => undefined)
        if (stored?.headers.get(markHeader) !== mark) throw error
      }
    },

    async abort() {
      await bucket.send({ method: 'DELETE', name, query: { uploadId }, right: 's3:AbortMultipartUpload' })
    },
  }
}

function completion(etags: readonly string[]): string {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  )
  return `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`
}
