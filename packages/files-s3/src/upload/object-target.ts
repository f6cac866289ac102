import type { ObjectTarget } from '@genmount/core/object-storage'
import { multipartUpload, type UploadTarget } from './multipart-upload.ts'

/** An object that is stored by one PUT, or by a multipart upload. */
export function objectTarget(target: UploadTarget): ObjectTarget {
  const { bucket, ...object } = target
  return {
    put: async (body) => void (await bucket.send({ ...object, method: 'PUT', body, right: 's3:PutObject' })),
    begin: () => multipartUpload(target),
    signal: target.signal,
  }
}
