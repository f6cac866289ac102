import type { Upload } from '@genmount/core'

/** The upload object, with its fields in this order. */
export function uploadObject({ id, url, contentType, bytes, sha256, createdAt, expiresAt }: Upload) {
  return {
    id,
    object: 'upload',
    url,
    content_type: contentType,
    bytes,
    sha256: sha256 ?? null,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  }
}
