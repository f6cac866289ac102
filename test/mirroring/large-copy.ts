/* Copies a large output from a link to disk, and prints by how much that raised the memory of the process. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGenerationService, memoryBackend, type Job } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { fakeProvider } from '@genmount/testing'
import { fetchAmong } from '../guarded-fetch/fetch-world.ts'
import { testCertificate } from '../guarded-fetch/test-certificate.ts'
import { peakMemory } from '../peak-memory.ts'

const [folder = '', origin = ''] = process.argv.slice(2)
const { fetch } = fetchAmong({ 'a.test': [['127.0.0.1']] }, testCertificate.cert)
const files = diskFiles({ folder, fetch })
const log = { warn() {}, error: console.error }
const service = createGenerationService({ providers: [fakeProvider()], backend: memoryBackend(), files, log })

/** The size and hash of the copy, as they are on the disk. */
async function copyOf(path: string) {
  const input = { prompt: 'a kite', output_urls: [`${origin}/${path}`] }
  let { job }: { job: Job } = await service.create({ owner: 'alice', model: 'fake-video', input })
  while (job.outputs[0]?.fileKey === undefined) {
    await sleep(50)
    job = await service.get(job.id, 'alice')
  }
  const hash = createHash('sha256')
  const file = await files.open?.(job.outputs[0].fileKey)
  if (file) for await (const chunk of file.read()) hash.update(chunk)
  return { size: file?.size, contentType: file?.contentType, sha256: hash.digest('hex') }
}

await copyOf('warm-up')
const before = process.memoryUsage().rss
const copied = await copyOf('large')
const raisedMB = (peakMemory() - before) / 1_000_000
console.log(JSON.stringify({ ...copied, raisedMB }))
await service.close()
