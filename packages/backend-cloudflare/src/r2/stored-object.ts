import type { ByteRange, StoredFile } from '@genmount/core'
import type { R2BucketBinding, R2ObjectHead } from './bucket-binding.ts'
import { patiently } from './patiently.ts'

/** A read with a buffer of its own gets up to so many bytes; without one, it gets 4 kB. */
const chunkBytes = 65_536

/** The file that an object holds. Its reads fail when the object is replaced or deleted. */
export function storedObject(bucket: R2BucketBinding, name: string, head: R2ObjectHead): StoredFile {
  const { size, etag, httpMetadata, checksums } = head
  const { sha256 } = checksums.toJSON()
  return {
    size,
    contentType: httpMetadata?.contentType ?? 'application/octet-stream',
    ...(sha256 !== undefined && { sha256 }),
    read: (range) => streamOf(() => bodyOf(bucket, name, etag, range)),
  }
}

async function bodyOf(
  bucket: R2BucketBinding,
  name: string,
  etag: string,
  range: ByteRange | undefined,
): Promise<ReadableStream> {
  const part = range && { range: { offset: range.start, length: range.end - range.start + 1 } }
  const object = await patiently(() => bucket.get(name, { ...part, onlyIf: { etagMatches: etag } }))
  if (!object?.body) throw new Error('The file was replaced or deleted while it was read.')
  return object.body
}

/** The bytes of a body that is opened when the reader asks for the first of them. */
function streamOf(open: () => Promise<ReadableStream>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let opened: Promise<ReadableStreamBYOBReader> | undefined
  return new ReadableStream(
    {
      async pull(controller) {
        opened ??= open().then((body) => body.getReader({ mode: 'byob' }))
        const { done, value } = await (await opened).read(new Uint8Array(chunkBytes))
        if (value && value.byteLength > 0) controller.enqueue(value)
        if (done) controller.close()
      },
      async cancel(reason) {
        await (await opened)?.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
