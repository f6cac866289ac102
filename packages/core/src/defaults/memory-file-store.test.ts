import { expect, test } from 'vitest'
import { memoryInUse } from '../../../../test/memory/memory-in-use.ts'
import { memoryFileStore } from './memory-file-store.ts'

const textOf = async (files: ReturnType<typeof memoryFileStore>, key: string) =>
  new Response((await files.open?.(key))?.read()).text()

test('the memory file store copies the bytes of a file, so their owner may use them again', async () => {
  const files = memoryFileStore()
  const buffer = Buffer.from('a kite')
  await files.put('bytes', buffer, 'text/plain')
  await files.put('stream', new Blob([]).stream(), 'text/plain')
  const chunks = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(buffer)
      controller.close()
    },
  })
  await files.put('stream', chunks, 'text/plain')
  buffer.fill(0x78)
  expect(await textOf(files, 'bytes')).toBe('a kite')
  expect(await textOf(files, 'stream')).toBe('a kite')
})

test('a reader of the memory file store may keep, change and transfer the bytes', async () => {
  const files = memoryFileStore()
  await files.put('file', Buffer.from('a kite'), 'text/plain')
  const { value } = (await (await files.open?.('file'))?.read().getReader().read()) ?? {}
  structuredClone(value, { transfer: [value!.buffer] })
  expect(await textOf(files, 'file')).toBe('a kite')
})

test('a file in half a million pieces takes little more memory than its bytes', async () => {
  const pieces = 500_000
  const before = memoryInUse().heapUsed
  let peak = 0
  let given = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (given % 100_000 === 0) peak = Math.max(peak, memoryInUse().heapUsed - before)
      if (given++ === pieces) return controller.close()
      controller.enqueue(new Uint8Array(1))
    },
  })
  const files = memoryFileStore()
  await files.put('film', body, 'video/mp4')
  expect((await files.open?.('film'))?.size).toBe(pieces)
  expect(peak).toBeLessThan(20_000_000)
})
