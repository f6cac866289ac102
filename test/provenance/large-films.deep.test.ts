import { expect, test } from 'vitest'
import { createGenerationService, type FileStore, memoryFileStore } from '@genmount/core'
import { provenance } from '@genmount/provenance'
import { fakeProvider, quietLog } from '@genmount/testing'

const gigabytes = 2

/** A box of an MP4: its head, with a length of eight bytes. */
function boxHead(type: string, contentBytes: number): Uint8Array {
  const head = new Uint8Array(16)
  const view = new DataView(head.buffer)
  view.setUint32(0, 1)
  for (const [at, letter] of [...type].entries()) head[4 + at] = letter.charCodeAt(0)
  view.setBigUint64(8, BigInt(16 + contentBytes))
  return head
}

/** A film of zeros. */
function film(): ReadableStream<Uint8Array> {
  const brand = new TextEncoder().encode('isom\0\0\0\0isom')
  const heads = [
    boxHead('ftyp', brand.byteLength),
    brand,
    boxHead('moov', 0),
    boxHead('mdat', gigabytes * 2 ** 30),
  ]
  const head = Buffer.concat(heads)
  // `ftyp` has a short length, by which its type is read.
  const short = Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from('ftyp'), head.subarray(16)])
  const piece = new Uint8Array(2 ** 20)
  let left = gigabytes * 1024
  return new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(short)),
    pull: (controller) => (left-- > 0 ? controller.enqueue(piece) : controller.close()),
  })
}

test(`a film of ${gigabytes} GB is marked with less than 100 MB of memory`, async () => {
  const before = process.memoryUsage.rss()
  let [most, bytes, pieces, isMarked] = [0, 0, 0, false]
  const files: FileStore = {
    ...memoryFileStore(),
    fetch: async () => ({ body: film() }),
    async put(_key, body) {
      for await (const piece of body as ReadableStream<Uint8Array>) {
        bytes += piece.byteLength
        if (++pieces % 64 === 0) most = Math.max(most, process.memoryUsage.rss() - before)
        isMarked = Buffer.from(piece.subarray(0, 1000)).includes('trainedAlgorithmicMedia')
      }
    },
  }
  const provider = fakeProvider({
    behave: () => ({ outputs: [{ url: 'https://cdn.test/film' }] }),
  })
  const service = createGenerationService({
    providers: [provider],
    files,
    plugins: [provenance()],
    log: quietLog(),
  })
  const { job } = await service.create({
    owner: 'alice',
    model: 'fake-video',
    input: { prompt: 'a film' },
  })
  await expect
    .poll(async () => (await service.get(job.id, 'alice')).outputs[0]?.bytes, {
      timeout: 120_000,
    })
    .toBeDefined()
  expect(bytes).toBeGreaterThan(gigabytes * 2 ** 30)
  expect(isMarked).toBe(true)
  expect(most).toBeLessThan(100 * 2 ** 20)
  await service.close()
})
