import { expect, test } from 'vitest'
import { eventReader } from './event-reader.ts'

const text =
  ': hello\r\nretry: 100\r\n\r\nevent: state\nid: a-1\ndata: {"a":\ndata:1}\n\n: still here\n\rid\ndata: x\r\r'

test('an event stream is read the same wherever its chunks end', () => {
  for (let size = 1; size <= text.length; size++) {
    const reader = eventReader()
    const events = []
    for (let at = 0; at < text.length; at += size) events.push(...reader.take(text.slice(at, at + size)))
    events.push(...reader.take('\n'))
    expect(events).toEqual([
      { name: 'state', data: '{"a":\n1}' },
      { name: 'message', data: 'x' },
    ])
    expect([reader.lastId, reader.retryMs]).toEqual(['', 100])
  }
})

test('an event that breaks off is not returned', () => {
  const reader = eventReader()
  expect(reader.take('event: done\nid: b\ndata: {"half"')).toEqual([])
  expect(reader.lastId).toBe(undefined)
})

test('an event whose data have a line separator of Unicode is read whole', () => {
  const data = JSON.stringify({ prompt: 'a\u2028b\u2029c\u0085d' })
  expect(eventReader().take(`event: state\ndata: ${data}\n\n`)).toEqual([{ name: 'state', data }])
})
