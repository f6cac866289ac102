import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createGenerationService, type FileStore, memoryFileStore } from '@genmount/core'
import { outputFacts, outputList } from '@genmount/output-facts'
import { fakeFile, fakeProvider, quietLog } from '@genmount/testing'

const gigabytes = 2
const piece = new Uint8Array(2 ** 20)

/** A film of zeros, with the index of a real one at its end. */
function film(index: Uint8Array): ReadableStream<Uint8Array> {
  const head = new Uint8Array(36)
  const view = new DataView(head.buffer)
  head.set(new TextEncoder().encode('\0\0\0\x14ftypisom\0\0\0\0isom\0\0\0\x01mdat'))
  view.setBigUint64(28, BigInt(16 + gigabytes * 2 ** 30))
  let left = gigabytes * 1024
  return new ReadableStream({
    start: (controller) => controller.enqueue(head),
    pull(controller) {
      if (left-- > 0) return controller.enqueue(piece)
      controller.enqueue(index)
      controller.close()
    },
  })
}

/** The box `moov` of a film. */
function indexOf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.byteLength; at += view.getUint32(at))
    if (Buffer.from(bytes.subarray(at + 4, at + 8)).toString() === 'moov')
      return bytes.slice(at, at + view.getUint32(at))
  throw new Error('The film has no index.')
}

test(`the facts of a film of ${gigabytes} GB with its index at the end are read with less than 200 MB of memory`, async () => {
  const index = indexOf(fakeFile('video').bytes)
  const before = process.memoryUsage.rss()
  const hash = createHash('sha256')
  let [most, pieces] = [0, 0]
  const files: FileStore = {
    ...memoryFileStore(),
    fetch: async () => ({ body: film(index) }),
    async put(_key, body) {
      for await (const part of body as ReadableStream<Uint8Array>) {
        hash.update(part)
        if (++pieces % 64 === 0) most = Math.max(most, process.memoryUsage.rss() - before)
      }
    },
  }
  const provider = fakeProvider({ behave: () => ({ outputs: [{ url: 'https://cdn.test/film' }] }) })
  const service = createGenerationService({
    providers: [provider],
    files,
    plugins: [outputFacts()],
    log: quietLog(),
  })
  const { job } = await service.create({ owner: 'alice', model: 'fake-video', input: { prompt: 'a film' } })
  const read = async () => outputList(await service.get(job.id, 'alice'), '').data[0]
  await expect.poll(async () => (await read())?.bytes, { timeout: 120_000 }).toBeGreaterThan(0)
  expect(await read()).toMatchObject({
    bytes: 36 + gigabytes * 2 ** 30 + index.byteLength,
    sha256: hash.digest('hex'),
    has_sound: false,
    width: expect.any(Number),
  })
  expect(most).toBeLessThan(200 * 2 ** 20)
  await service.close()
})
