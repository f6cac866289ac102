import { expect, test } from 'vitest'
import { frameReader } from './frame-reader.ts'

const frame = (first: number, text: string) =>
  Buffer.concat([Buffer.from([first, text.length]), Buffer.from(text)])

function reading(maxBytes = 1000) {
  const taken: [number, string][] = []
  const read = frameReader(maxBytes, ({ opcode, bytes }) => void taken.push([opcode, bytes.toString()]))
  return { taken, read }
}

test('WebSocket messages are joined however their bytes arrive, also with control frames between their parts', () => {
  const sent = Buffer.concat([
    frame(0x81, 'one'),
    frame(0x02, 'two-'),
    frame(0x89, 'ping'),
    frame(0x00, 'and-'),
    frame(0x80, 'three'),
    Buffer.from([0x81, 126, 0, 200]),
    Buffer.alloc(200, 'a'),
    frame(0x88, ''),
  ])
  for (const size of [1, 3, 1000]) {
    const { taken, read } = reading()
    for (let at = 0; at < sent.length; at += size) read(sent.subarray(at, at + size))
    expect(taken).toEqual([
      [1, 'one'],
      [9, 'ping'],
      [2, 'two-and-three'],
      [1, 'a'.repeat(200)],
      [8, ''],
    ])
  }
})

test.each<[string, Buffer]>([
  ['a message that is too long, by its head alone', Buffer.from([0x82, 127, 0, 0, 0, 0, 0x40, 0, 0, 0])],
  [
    'parts that are too long together',
    Buffer.concat([frame(0x02, 'a'.repeat(100)), frame(0x80, 'a'.repeat(100))]),
  ],
  ['a part of no message', frame(0x80, 'a')],
  ['a message within another', Buffer.concat([frame(0x02, 'a'), frame(0x81, 'b')])],
  ['an extension that was not agreed on', frame(0xc1, 'a')],
  ['a mask', Buffer.from([0x81, 0x81, 1, 2, 3, 4, 5])],
])('%s is refused', (_what, bytes) => {
  const { taken, read } = reading(150)
  expect(() => read(bytes)).toThrow(RangeError)
  expect(taken).toEqual([])
})
