/* Stores 500 MB from a stream, reads them back, and prints by how much that raised the memory of the process. */
import { createHash } from 'node:crypto'
import { diskFiles } from '@genmount/files-disk'
import { chunkBytes, numberedStream } from '../numbered-stream.ts'
import { peakMemory, peakOfReading } from '../peak-memory.ts'

const [folder = ''] = process.argv.slice(2)
const files = diskFiles({ folder })
const megabyte = 1_000_000
const chunkCount = (500 * megabyte) / chunkBytes

await files.put('warm up', numberedStream(20), 'video/mp4')
const before = await peakOfReading(chunkCount)

const given = createHash('sha256')
await files.put('large', numberedStream(chunkCount, given), 'video/mp4')
const afterPut = peakMemory()

const read = createHash('sha256')
const file = await files.open?.('large')
if (file) for await (const chunk of file.read()) read.update(chunk)
const afterRead = peakMemory()

console.log(
  JSON.stringify({
    size: file?.size,
    isSame: given.digest('hex') === read.digest('hex'),
    raisedByPutMB: (afterPut - before) / megabyte,
    raisedMB: (afterRead - before) / megabyte,
  }),
)
