import { manualClock } from '@genmount/testing'
import { expect, test } from 'vitest'
import type { BodyReader } from '../interface/v1-request.ts'
import { readText } from './read-body.ts'

const limits = { maxBodyBytes: 10, bodyTimeoutMs: 1000 }
const bytes = (text: string) => new TextEncoder().encode(text)

function readerOf(
  ...chunks: readonly (Uint8Array | Error)[]
): BodyReader & { cancelled: number; reads: number } {
  return {
    cancelled: 0,
    reads: 0,
    async read() {
      const chunk = chunks[this.reads++]
      if (chunk instanceof Error) throw chunk
      return chunk ? { done: false, value: chunk } : { done: true }
    },
    cancel() {
      this.cancelled++
    },
  }
}

test('text is put together from its pieces, even when a character is split between them', async () => {
  const euro = bytes('\u20ac')
  const clock = manualClock()
  expect(await readText(readerOf(bytes('a'), euro.slice(0, 1), euro.slice(1)), limits, clock)).toBe('a\u20ac')
  expect(clock.pendingTimers).toBe(0)
})

test('a body over the limit is refused as soon as it shows, and read no further', async () => {
  const reader = readerOf(bytes('123456'), bytes('789012'), bytes('more'))
  await expect(readText(reader, limits, manualClock())).rejects.toMatchObject({ code: 'request_too_large' })
  expect(reader).toMatchObject({ reads: 2, cancelled: 1 })
  expect(await readText(readerOf(bytes('1234567890')), limits, manualClock())).toHaveLength(10)
})

test('bytes that are not UTF-8 are refused, cut-off characters and surrogates included', async () => {
  for (const broken of [[0xff], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
    const text = readText(readerOf(new Uint8Array(broken)), limits, manualClock())
    await expect(text).rejects.toMatchObject({ code: 'invalid_json' })
  }
})

test('a body that does not come in time is refused, and nobody goes on waiting for it', async () => {
  const clock = manualClock()
  const reader = { ...readerOf(), read: () => new Promise<never>(() => {}) }
  const refusal = expect(readText(reader, limits, clock)).rejects.toMatchObject({ code: 'request_timeout' })
  await clock.advance(1000)
  await refusal
  expect(reader.cancelled).toBe(1)
})

test('a body that breaks off is refused', async () => {
  const reader = readerOf(bytes('{"mod'), new Error('ECONNRESET'))
  await expect(readText(reader, limits, manualClock())).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a body in very many pieces takes no more memory than its text', async () => {
  const pieces = 1_000_000
  let reads = 0
  const reader = { read: async () => ({ done: reads++ >= pieces, value: bytes(' ') }), cancel() {} }
  const before = process.memoryUsage().heapUsed
  let peak = before
  const clock = manualClock()
  const watched = {
    ...reader,
    read: () => {
      if (reads % 10_000 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed)
      return reader.read()
    },
  }
  expect(await readText(watched, { maxBodyBytes: pieces, bodyTimeoutMs: 1000 }, clock)).toHaveLength(pieces)
  expect(peak - before).toBeLessThan(150_000_000)
}, 30_000)
