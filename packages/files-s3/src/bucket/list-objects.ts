import { elementOf } from './bucket-error.ts'
import type { S3Bucket } from './s3-bucket.ts'

/**
 * The names of all objects that begin with `prefix`, in pages of up to 1,000 (ListObjectsV2). The names that this store
 * gives to objects have no character that XML would escape.
 * @throws BucketError
 */
export async function* listObjects(bucket: S3Bucket, prefix: string): AsyncGenerator<string> {
  for (let token: string | undefined = ''; token !== undefined;) {
    const page = { 'list-type': '2', prefix, ...(token !== '' && { 'continuation-token': token }) }
    const { text } = await bucket.send({ method: 'GET', name: '', query: page, right: 's3:ListBucket' })
    for (const [, name = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) yield name
    token = elementOf(text, 'NextContinuationToken')
  }
}
