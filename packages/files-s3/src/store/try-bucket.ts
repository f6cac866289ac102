import { refusalError } from '../bucket/bucket-error.ts'
import type { S3Bucket } from '../bucket/s3-bucket.ts'
import { multipartUpload } from '../upload/multipart-upload.ts'

const lifeMs = 60_000

/**
 * Tries everything that the store needs: stores an object, reads it through a link, begins and aborts a multipart
 * upload, and deletes the object.
 * @param now the current instant, in milliseconds since the Unix epoch
 * @throws BucketError that says what is wrong
 */
export async function tryBucket(bucket: S3Bucket, now: number): Promise<void> {
  // No key has a name like this, because in the name of a key each tilde is followed by a hexadecimal digit or a tilde.
  const name = `~ready-${crypto.randomUUID()}`
  const body = new TextEncoder().encode('genmount')
  await bucket.send({ method: 'PUT', name, body, right: 's3:PutObject' })
  try {
    const answer = await fetch(await bucket.link(name, now + lifeMs))
    const text = await answer.text()
    if (text !== 'genmount')
      throw refusalError(bucket.name, { status: answer.status, text, right: 's3:GetObject' })
    await (await multipartUpload({ bucket, name })).abort()
  } finally {
    await bucket.send({ method: 'DELETE', name, right: 's3:DeleteObject' })
  }
}
