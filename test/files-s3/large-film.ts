/* Stores 200 MB from a stream in a bucket, and prints by how much that raised the memory of the process. */
import { createHash } from 'node:crypto'
import { s3Files, type S3FilesOptions } from '@genmount/files-s3'
import { numberedStream } from '../numbered-stream.ts'
import { peakMemory, peakOfReading } from '../peak-memory.ts'

const [options = ''] = process.argv.slice(2)
const files = s3Files(JSON.parse(options) as S3FilesOptions)

// Three parts, so that all of the code and the buffers of the runtime are there before the measurement begins.
await files.put('warm-up', numberedStream(400), 'video/mp4')
const before = await peakOfReading(4000)
const given = createHash('sha256')
await files.put('film', numberedStream(4000, given), 'video/mp4')
const raisedMB = (peakMemory() - before) / 1_000_000

const read = createHash('sha256')
const reply = await fetch((await files.link?.('film', Date.now() + 60_000)) ?? '')
if (reply.body) for await (const chunk of reply.body) read.update(chunk)
console.log(
  JSON.stringify({ status: reply.status, isSame: given.digest('hex') === read.digest('hex'), raisedMB }),
)
