import { expect, test } from 'vitest'
import { memoryFileStore } from './memory-file-store.ts'

const mebibyte = 1024 * 1024

/** A body of this many MiB that ends when the test ends it. */
function slowBody(mebibytes: number) {
  let given = 0
  let end = () => {}
  const mayEnd = new Promise<void>((resolve) => (end = resolve))
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (given++ < mebibytes) return controller.enqueue(new Uint8Array(mebibyte))
        await mayEnd
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, end }
}

test('files that arrive at the same time take at most twice as much memory as maxBytes together', async () => {
  const files = memoryFileStore({ maxBytes: 40 * mebibyte })
  const before = process.memoryUsage().arrayBuffers
  const bodies = Array.from({ length: 16 }, () => slowBody(16))
  let refused = 0
  const puts = bodies.map(({ stream }, index) =>
    files.put(`film ${index}`, stream, 'video/mp4').catch((fault: unknown) => {
      expect(fault).toMatchObject({ code: 'capacity_exceeded' })
      refused++
    }),
  )
  // The refused bodies are refused while the others are still arriving.
  await expect.poll(() => refused).toBeGreaterThanOrEqual(14)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * mebibyte)
  for (const { end } of bodies) end()
  await Promise.all(puts)
  expect(refused).toBeLessThan(16)
})

test('a file that was refused or broke off frees its room for the next file', async () => {
  const files = memoryFileStore({ maxBytes: 10 * mebibyte })
  for (let round = 0; round < 5; round++) {
    await expect(files.put('film', slowBody(12).stream, 'video/mp4')).rejects.toThrow(RangeError)
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(7 * mebibyte))
        controller.error(new Error('broken off'))
      },
    })
    await expect(files.put('film', broken, 'video/mp4')).rejects.toThrow('broken off')
    const whole = slowBody(7)
    whole.end()
    await files.put('film', whole.stream, 'video/mp4')
  }
  expect((await files.open?.('film'))?.size).toBe(7 * mebibyte)
})
