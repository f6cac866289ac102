import { manualClock } from '@genmount/testing'
import { expect, test } from 'vitest'
import { memoryInUse } from '../../../../test/memory/memory-in-use.ts'
import type { BodyReader } from '../interface/v1-request.ts'
import { type BodyBudget, readBody } from './read-body.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A budget that shows the bytes that it holds. */
function shownBudget(maxBytes = Infinity): BodyBudget & { held: number; begun: number } {
  return {
    held: 0,
    begun: 0,
    begin(bytes) {
      if (this.begun + bytes > maxBytes) throw Object.assign(new Error('full'), { code: 'capacity_exceeded' })
      this.begun += bytes
      return () => void (this.begun -= bytes)
    },
    take(more) {
      if (this.held + more > maxBytes) throw Object.assign(new Error('full'), { code: 'capacity_exceeded' })
      this.held += more
    },
    giveBack(back) {
      this.held -= back
    },
  }
}

const limits = {
  maxBodyBytes: 10,
  bodyTimeoutMs: 1000,
  budget: shownBudget(),
  expectedBytes: undefined as number | undefined,
}
const readText = async (reader: BodyReader, given: typeof limits, clock = manualClock()) => {
  const body = await readBody(reader, given, clock)
  const text = Buffer.from(body.bytes).toString()
  body.letGo()
  return text
}

function readerOf(
  ...chunks: readonly (Uint8Array | Error)[]
): BodyReader & { canceled: number; reads: number } {
  return {
    canceled: 0,
    reads: 0,
    async read() {
      const chunk = chunks[this.reads++]
      if (chunk instanceof Error) throw chunk
      return chunk ? { done: false, value: chunk } : { done: true }
    },
    cancel() {
      this.canceled++
    },
  }
}

test('a body is joined from its pieces, also when a character is split between two pieces', async () => {
  const euro = bytes('\u20ac')
  const clock = manualClock()
  expect(await readText(readerOf(bytes('a'), euro.slice(0, 1), euro.slice(1)), limits, clock)).toBe('a\u20ac')
  expect(clock.pendingTimers).toBe(0)
})

test('a body that the host has already read is used at once, without a timer', async () => {
  const clock = manualClock()
  const pieces = [{ value: bytes('whole') }, { done: true }]
  const reader = { read: () => pieces.shift()!, cancel() {} }
  expect(readBody(reader, limits, clock)).toMatchObject({ bytes: bytes('whole') })
  expect(clock.pendingTimers).toBe(0)
})

test('a body of which the host has only a part is awaited for the time that bodies may take', async () => {
  const clock = manualClock()
  const pieces = [{ value: bytes('part') }, new Promise<never>(() => {})]
  const reader = { read: () => pieces.shift()!, cancel() {} }
  const refusal = expect(readText(reader, limits, clock)).rejects.toMatchObject({ code: 'request_timeout' })
  await clock.advance(1000)
  await refusal
})

test('a body over the limit is refused at the first byte too many, and read no further', async () => {
  const reader = readerOf(bytes('123456'), bytes('789012'), bytes('more'))
  await expect(readText(reader, limits)).rejects.toMatchObject({ code: 'request_too_large' })
  expect(reader).toMatchObject({ reads: 2, canceled: 1 })
  expect(await readText(readerOf(bytes('1234567890')), limits)).toHaveLength(10)
})

test('a body that does not arrive in time is refused with 408, and its stream is released', async () => {
  const clock = manualClock()
  const reader = { ...readerOf(), read: () => new Promise<never>(() => {}) }
  const refusal = expect(readText(reader, limits, clock)).rejects.toMatchObject({ code: 'request_timeout' })
  await clock.advance(1000)
  await refusal
  expect(reader.canceled).toBe(1)
})

test('a body that breaks off is refused with 400', async () => {
  const reader = readerOf(bytes('{"mod'), new Error('ECONNRESET'))
  await expect(readText(reader, limits)).rejects.toMatchObject({ code: 'invalid_request' })
})

/** A body of this many pieces of `pieceBytes` bytes. */
function inPieces(pieces: number, pieceBytes: number) {
  const value = new Uint8Array(pieceBytes).fill(0x20)
  return {
    reads: 0,
    read() {
      return Promise.resolve({ done: this.reads++ >= pieces, value: value.slice() })
    },
    cancel() {},
  }
}

test('a body in a million pieces takes little more memory than its bytes', async () => {
  const reader = inPieces(1_000_000, 32)
  const before = memoryInUse()
  let peak = 0
  const check = () => {
    if (reader.reads % 200_000 > 0) return
    const { heapUsed, arrayBuffers } = memoryInUse()
    peak = Math.max(peak, heapUsed - before.heapUsed, arrayBuffers - before.arrayBuffers)
  }
  const given = { ...limits, maxBodyBytes: 32_000_000, check }
  expect(await readText(reader, given)).toHaveLength(32_000_000)
  expect(peak).toBeLessThan(80_000_000)
})

test('a body in tiny pieces is read up to 1,000 pieces, and refused after that', async () => {
  const large = { ...limits, maxBodyBytes: 1_000_000 }
  expect(await readText(inPieces(999, 1), large)).toHaveLength(999)
  for (const pieceBytes of [1, 31]) {
    const reader = inPieces(5000, pieceBytes)
    await expect(readText(reader, large)).rejects.toMatchObject({ code: 'invalid_request' })
    expect(reader.reads).toBeLessThan(1010)
  }
  const told = { ...inPieces(1, 10_000), pieces: () => 1100 }
  await expect(readText(told, large)).rejects.toMatchObject({ code: 'invalid_request' })
})

const megabyte = 1024 * 1024

/** A reader that returns the same piece this many times, and then breaks off. */
function brokenAfter(pieces: number, pieceBytes: number) {
  const value = new Uint8Array(pieceBytes)
  let reads = 0
  return async () => {
    if (reads++ === pieces) throw new Error('ECONNRESET')
    return { value }
  }
}

/** A body whose pieces the test sends. */
function handFed() {
  let feed = (_piece: { done: boolean; value?: Uint8Array }) => {}
  const reader = {
    canceled: 0,
    read: () =>
      new Promise<{ done: boolean; value?: Uint8Array }>((resolve) => {
        feed = resolve
      }),
    cancel() {
      this.canceled++
    },
  }
  return { reader, feed: (piece: { done: boolean; value?: Uint8Array }) => feed(piece) }
}

test('the bytes of a body count towards the memory budget until nobody needs it any more, whatever length it announced', async () => {
  const budget = shownBudget()
  const { reader, feed } = handFed()
  const large = { ...limits, maxBodyBytes: 20 * megabyte, expectedBytes: 20 * megabyte, budget }
  const reading = readBody(reader, large, manualClock())
  feed({ done: false, value: bytes('a') })
  await expect.poll(() => budget.held).toBe(1024)
  feed({ done: false, value: new Uint8Array(megabyte) })
  await expect.poll(() => budget.held).toBe(megabyte + 1)
  feed({ done: true })
  const { letGo } = await reading
  expect(reader.canceled).toBe(1)
  expect(budget.held).toBe(megabyte + 1)
  letGo()
  expect(budget.held).toBe(0)
})

test('a body whose announced length does not fit into the budget of its owner is refused before it is read', async () => {
  const budget = shownBudget(15)
  const whole = { ...limits, expectedBytes: 10, budget }
  const { reader, feed } = handFed()
  const result = readText(reader, whole)
  expect(budget).toMatchObject({ begun: 10, held: 0 })
  const second = readerOf(bytes('1234567890'))
  await expect(readText(second, whole)).rejects.toMatchObject({ code: 'capacity_exceeded' })
  expect(second).toMatchObject({ reads: 0, canceled: 1 })
  feed({ done: false, value: bytes('1234567890') })
  await new Promise(setImmediate)
  feed({ done: true })
  expect(await result).toBe('1234567890')
  expect(budget).toMatchObject({ begun: 0, held: 0 })
})

test('a refused body frees its memory budget at once', async () => {
  const before = memoryInUse().arrayBuffers
  for (let body = 0; body < 100; body++) {
    const broken = { read: brokenAfter(31, 32_768), cancel() {} }
    const large = { ...limits, maxBodyBytes: megabyte }
    await expect(readText(broken, large)).rejects.toMatchObject({ code: 'invalid_request' })
  }
  expect(memoryInUse().arrayBuffers - before).toBeLessThan(20 * megabyte)
})

test('a body that grows beyond the memory budget is refused, and its bytes are free again', async () => {
  const budget = shownBudget(5)
  const full = readText(readerOf(bytes('123'), bytes('456')), { ...limits, budget })
  await expect(full).rejects.toMatchObject({ code: 'capacity_exceeded' })
  expect(budget.held).toBe(0)
  const broken = readText(readerOf(bytes('123'), new Error('ECONNRESET')), {
    ...limits,
    budget: shownBudget(),
  })
  await expect(broken).rejects.toMatchObject({ code: 'invalid_request' })
})

test('a piece that arrives after its body was given up does not count', async () => {
  const clock = manualClock()
  const budget = shownBudget()
  const { reader, feed } = handFed()
  const refusal = expect(readText(reader, { ...limits, budget }, clock)).rejects.toMatchObject({
    code: 'request_timeout',
  })
  await clock.advance(1000)
  await refusal
  feed({ done: false, value: bytes('late') })
  await clock.advance(1)
  expect(budget.held).toBe(0)
})

test('a body slower than the slowest allowed pace is refused within 20 seconds, a faster one is read', async () => {
  const patient = { ...limits, maxBodyBytes: megabyte, bodyTimeoutMs: 60_000 }
  for (const [bytesASecond, outcome] of [
    [0, 'request_timeout'],
    [50, 'request_timeout'],
    [200, 'whole'],
  ] as const) {
    const clock = manualClock()
    const { reader, feed } = handFed()
    const given = { ...patient, budget: shownBudget() }
    const result = readText(reader, given, clock).then(
      () => 'whole',
      ({ code }: { code: string }) => code,
    )
    for (let second = 0; second < 20; second++) {
      if (bytesASecond > 0) feed({ done: false, value: new Uint8Array(bytesASecond) })
      await clock.advance(1000)
    }
    feed({ done: true })
    expect(await result).toBe(outcome)
    expect(given.budget.held).toBe(0)
    expect(clock.pendingTimers).toBe(0)
  }
})
