import { sha256Hex } from '@genmount/core'
import type { MultipartUpload, ObjectTarget } from '@genmount/core/object-storage'
import type { R2BucketBinding } from './bucket-binding.ts'
import { patiently } from './patiently.ts'

/** An object of a bucket that is stored by one `put`, or by a multipart upload. */
export function objectTarget(bucket: R2BucketBinding, name: string, contentType: string): ObjectTarget {
  const httpMetadata = { contentType }
  return {
    async put(body) {
      // R2 refuses bytes that have another hash, and keeps the hash for `open`.
      const sha256 = await sha256Hex(body)
      await patiently(() => bucket.put(name, body, { httpMetadata, sha256 }))
    },

    async begin(): Promise<MultipartUpload> {
      const customMetadata = { upload: crypto.randomUUID() }
      const upload = await patiently(() =>
        bucket.createMultipartUpload(name, { httpMetadata, customMetadata }),
      )
      return {
        send: async (partNumber, body) => (await patiently(() => upload.uploadPart(partNumber, body))).etag,

        async complete(etags) {
          try {
            await patiently(() =>
              upload.complete(etags.map((etag, index) => ({ partNumber: index + 1, etag }))),
            )
          } catch (error) {
            // The answer to a try that completed the upload may be lost. The next try then finds no upload.
            const stored = await patiently(() => bucket.head(name)).catch(() => null)
            if (stored?.customMetadata?.['upload'] !== customMetadata.upload) throw error
          }
        },

        abort: () => patiently(() => upload.abort()),
      }
    },
  }
}
