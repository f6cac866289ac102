import { expect, test } from 'vitest'
import { gatheredBytes } from './gathered-bytes.ts'

test('gathered pieces of any size become one array of exactly their length', () => {
  for (const pieceLength of [1, 2, 7, 5000]) {
    const text = '0123456789'.repeat(1000)
    const gathered = gatheredBytes()
    for (let at = 0; at < text.length; at += pieceLength)
      gathered.add(Buffer.from(text.slice(at, at + pieceLength)))
    gathered.add(new Uint8Array())
    expect(gathered.size).toBe(10_000)
    const whole = gathered.whole()
    expect(Buffer.from(whole).toString()).toBe(text)
    expect(whole.buffer.byteLength).toBe(10_000)
  }
  expect(gatheredBytes().whole()).toEqual(new Uint8Array())
})

test('a piece that its owner changes after it was added does not change the gathered bytes', () => {
  const gathered = gatheredBytes()
  const piece = Buffer.from('a kite')
  gathered.add(piece)
  piece.fill(0x78)
  expect(Buffer.from(gathered.whole()).toString()).toBe('a kite')
})

test('the buffer of gathered bytes is at most twice as large as what has arrived, and at most the announced length', () => {
  let held = 0
  const gathered = gatheredBytes({ expectedBytes: 1_000_000, onGrow: (bytes) => void (held += bytes) })
  for (let size = 1; size <= 1_000_000; size += 10) {
    gathered.add(Buffer.alloc(10))
    expect(held).toBeLessThanOrEqual(Math.min(1_000_000, Math.max(1024, 2 * gathered.size)))
  }
  expect(held).toBe(1_000_000)
})

test('an announced length reserves no memory before the bytes arrive', () => {
  let held = 0
  const gathered = gatheredBytes({ expectedBytes: 1e9, onGrow: (bytes) => void (held += bytes) })
  gathered.add(Buffer.from('a'))
  expect(held).toBe(1024)
})

test('when a growth of the buffer is refused, the bytes gathered before stay', () => {
  const gathered = gatheredBytes({
    onGrow: (bytes) => {
      if (bytes > 1024) throw new Error('full')
    },
  })
  gathered.add(Buffer.from('a kite'))
  expect(() => gathered.add(Buffer.alloc(5000))).toThrow('full')
  expect(Buffer.from(gathered.whole()).toString()).toBe('a kite')
})

test('a million pieces of one byte are gathered in linear time, in about a megabyte', () => {
  const gathered = gatheredBytes()
  const piece = Buffer.from(' ')
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 1_000_000; i++) gathered.add(piece)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000)
  expect(gathered.whole()).toHaveLength(1_000_000)
})

test('a single piece of the announced length is not copied, and later bytes do not change it', () => {
  const piece = new Uint8Array([1, 2, 3])
  const whole = gatheredBytes({ expectedBytes: 3 })
  whole.add(piece)
  expect(whole.whole()).toBe(piece)
  const gathered = gatheredBytes({ expectedBytes: 3 })
  gathered.add(piece)
  gathered.add(new Uint8Array([4]))
  expect(gathered.whole()).toEqual(new Uint8Array([1, 2, 3, 4]))
  expect(piece).toEqual(new Uint8Array([1, 2, 3]))
})

test('when gathering is given up, the memory of the copied bytes is free at once', () => {
  const piece = Buffer.alloc(1_000_000)
  const before = process.memoryUsage().arrayBuffers
  for (let body = 0; body < 100; body++) {
    const gathered = gatheredBytes()
    gathered.add(piece)
    gathered.drop()
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000)
})

test('a buffer of the announced length is made once, and doubles if more bytes come', () => {
  const grown: number[] = []
  const gathered = gatheredBytes({ firstBytes: 87_000, onGrow: (bytes) => void grown.push(bytes) })
  gathered.add(new Uint8Array(65_536))
  gathered.add(new Uint8Array(21_464))
  expect(grown).toEqual([87_000])
  gathered.add(new Uint8Array(1))
  expect(grown).toEqual([87_000, 87_000])
  expect(gathered.whole()).toHaveLength(87_001)
})
