import { expect, test } from 'vitest'
import { gatherBytes } from './gather-bytes.ts'

/** The bytes in chunks of this size. */
function inChunks(bytes: Uint8Array<ArrayBuffer>, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}

test.each([1, 1000, 70_000, 1_000_000])('a body in chunks of %i bytes becomes one buffer', async (size) => {
  const bytes = Uint8Array.from({ length: 150_000 }, (_, i) => i % 251)
  const gathered = await gatherBytes(inChunks(bytes, size))
  expect(gathered).toEqual(bytes)
  expect(gathered.buffer.byteLength).toBe(bytes.length)
})

test('an empty answer gives no bytes, and an answer that breaks off rejects', async () => {
  expect(await gatherBytes(inChunks(new Uint8Array(), 1))).toEqual(new Uint8Array())
  const failing = new ReadableStream({ pull: (controller) => controller.error(new Error('broken off')) })
  await expect(gatherBytes(failing)).rejects.toThrow('broken off')
})
