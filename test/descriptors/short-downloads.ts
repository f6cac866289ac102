/**
 * A service whose clients begin to download its files and read no further, and whose process then runs out of file
 * descriptors. Prints the statuses, how many descriptors the downloads hold, and what a download is answered without one.
 */
import { mkdtempSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { diskFiles } from '@genmount/files-disk'
import { fakeProvider, quietLog } from '@genmount/testing'
import { takeDescriptors } from './take-descriptors.ts'

// Deno 2.9.5 panics where it finds no descriptor for its first listener to a signal.
process.on('SIGUSR2', () => {})
const folder = mkdtempSync(join(tmpdir(), 'genmount-downloads-'))
// Large enough to be read in pieces, for which the file stays open.
const bytes = new Uint8Array(1_000_000)
const service = createGenerationService({
  providers: [fakeProvider({ behave: () => ({ outputs: [{ bytes, contentType: 'video/mp4' }] }) })],
  files: diskFiles({ folder }),
  log: quietLog(),
})
const handle = toFetchHandler(service, {
  authenticate: apiKeys({ alice: 'alice-key' }),
  maxDownloads: 10,
  maxDownloadsPerOwner: 10,
})
const hold = setInterval(() => {}, 1000)

const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a kite' } })
await service.waitFor(job.id, 'alice')
const authorization = 'Bearer alice-key'
const redirect = await handle(new Request(`http://a/v1/files/${job.id}`, { headers: { authorization } }))
const link = redirect.headers.get('location') ?? ''

function isInFolder(descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder)
  } catch {
    return false // Closed since it was listed.
  }
}
const openFiles = () => readdirSync('/proc/self/fd').filter(isInFolder).length

// The first download makes Bun load all code, which needs descriptors.
await (await handle(new Request(link))).bytes()
// The first error of the disk makes Deno compile the code on its stack once more, and Deno 2.9.5 panics if it finds no
// descriptor for that.
const file = join(
  folder,
  readdirSync(folder).find((name) => /^[\da-f]{64}$/.test(name))!,
)
renameSync(file, `${file}.kept`)
symlinkSync(`${file}.kept`, file)
await handle(new Request(link))
renameSync(`${file}.kept`, file)
const replies = await Promise.all(Array.from({ length: 60 }, () => handle(new Request(link))))
const readers = replies.filter(({ status }) => status === 200).map(({ body }) => body!.getReader())
await Promise.all(readers.map((reader) => reader.read()))
const held = openFiles()
await Promise.all(readers.map((reader) => reader.cancel()))
const statuses = replies.map(({ status }) => status)

const { release } = takeDescriptors()
const without = await handle(new Request(link))
const said = await without.text()
release()
const after = (await handle(new Request(link))).status

await service.close()
clearInterval(hold)
rmSync(folder, { recursive: true })
console.log(
  JSON.stringify({
    statuses,
    held,
    without: without.status,
    retryAfter: without.headers.get('retry-after'),
    namesPath: said.includes(folder),
    after,
  }),
)
