/*
 * Stores a film from a stream, reads it back, and prints by how much that raised the memory of the process. The arguments:
 * `disk` or `s3`, the options of that store as JSON, and the size of the film in megabytes.
 */
import { createHash } from 'node:crypto'
import type { FileStore } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { s3Files } from '@genmount/files-s3'

const [kind, options = '', megabytes = ''] = process.argv.slice(2)
const files: FileStore = kind === 'disk' ? diskFiles(JSON.parse(options)) : s3Files(JSON.parse(options))
const megabyte = 1_000_000
const chunkBytes = 50_000

function filmOf(megabytes: number, hash = createHash('sha256')): ReadableStream<Uint8Array> {
  const count = (megabytes * megabyte) / chunkBytes
  let index = 0
  return new ReadableStream({
    pull(controller) {
      if (index === count) return controller.close()
      const chunk = new Uint8Array(chunkBytes).fill(index++)
      hash.update(chunk)
      controller.enqueue(chunk)
    },
  })
}

async function filmIn(store: FileStore, key: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await store.open?.(key)
  if (file) return file.read()
  const { body } = await fetch((await store.link?.(key, Date.now() + 60_000)) ?? '')
  return body ?? new ReadableStream()
}

const raisedMB = () => (process.resourceUsage().maxRSS * 1024 - before) / megabyte

// All of the code and the buffers of the runtime are there before the measurement begins: a bucket takes this in three parts.
await files.put('warm-up', filmOf(20), 'video/mp4')
const before = process.memoryUsage().rss
const given = createHash('sha256')
await files.put('film', filmOf(Number(megabytes), given), 'video/mp4')
const raisedByPutMB = raisedMB()

const read = createHash('sha256')
let bytes = 0
for await (const chunk of await filmIn(files, 'film')) {
  read.update(chunk)
  bytes += chunk.length
}
console.log(
  JSON.stringify({
    bytes,
    isSame: given.digest('hex') === read.digest('hex'),
    raisedByPutMB,
    raisedByBothMB: raisedMB(),
  }),
)
