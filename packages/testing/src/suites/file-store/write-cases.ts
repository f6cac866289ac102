import assert from 'node:assert/strict'
import {
  assertAbsent,
  assertBytes,
  assertFile,
  patternOf,
  readBack,
  streamOf,
  type FileStoreCases,
} from './stored-file.ts'

const key = 'job-1/0'
const broken = new Error('the stream broke')

export const writeCases: FileStoreCases = {
  'a store can be read, by link or by open': async ({ files }) => {
    assert.ok(files.link || files.open, 'a store has link or open')
  },

  'bytes come back as they went in, with their type': async (subject) => {
    await subject.files.put(key, patternOf(1_000), 'image/png')
    await assertFile(subject, key, patternOf(1_000))
    await subject.files.put('job-2/0', patternOf(10, 7), 'video/mp4')
    await assertFile(subject, 'job-2/0', patternOf(10, 7), 'video/mp4')
  },

  'every byte value is kept': async (subject) => {
    const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256)
    await subject.files.put(key, bytes, 'application/octet-stream')
    await assertFile(subject, key, bytes, 'application/octet-stream')
  },

  'a stream comes back as one file, whatever its chunks': async (subject) => {
    const bytes = patternOf(300_000)
    const cuts = [0, 1, 1, 2, 65_537, 65_537, 299_999, 300_000]
    const chunks = cuts.map((cut, index) => bytes.slice(cuts[index - 1] ?? 0, cut))
    await subject.files.put(key, streamOf(chunks), 'image/png')
    await assertFile(subject, key, bytes)
  },

  'a file without bytes is a file, given as bytes or as a stream': async (subject) => {
    await subject.files.put('bytes', new Uint8Array(), 'image/png')
    await subject.files.put('stream', streamOf([]), 'image/png')
    await assertFile(subject, 'bytes', new Uint8Array())
    await assertFile(subject, 'stream', new Uint8Array())
  },

  'a large file is kept whole': async (subject) => {
    const bytes = patternOf(5 * 2 ** 20 + 1)
    await subject.files.put('bytes', bytes, 'video/mp4')
    await assertFile(subject, 'bytes', bytes, 'video/mp4')
    const chunks = Array.from({ length: 81 }, (_, index) => bytes.slice(index * 65_536, (index + 1) * 65_536))
    await subject.files.put('stream', streamOf(chunks), 'video/mp4')
    await assertFile(subject, 'stream', bytes, 'video/mp4')
  },

  'of a view into a larger buffer only the view is stored': async (subject) => {
    const bytes = patternOf(100)
    await subject.files.put('bytes', bytes.subarray(10, 20), 'image/png')
    await assertFile(subject, 'bytes', bytes.slice(10, 20))
    await subject.files.put('stream', streamOf([bytes.subarray(30, 40), bytes.subarray(50, 51)]), 'image/png')
    await assertFile(subject, 'stream', new Uint8Array([...bytes.slice(30, 40), ...bytes.slice(50, 51)]))
  },

  'bytes that change after they were stored do not change the file': async (subject) => {
    const bytes = patternOf(100)
    await subject.files.put('bytes', bytes, 'image/png')
    await subject.files.put('stream', streamOf([bytes]), 'image/png')
    bytes.fill(0)
    await assertFile(subject, 'bytes', patternOf(100))
    await assertFile(subject, 'stream', patternOf(100))
  },

  'bytes that are stored stay the caller’s own': async (subject) => {
    const bytes = patternOf(100)
    await subject.files.put(key, bytes, 'image/png')
    assertBytes(bytes, patternOf(100))
    await assertFile(subject, key, bytes)
  },

  'the same key again replaces bytes and type': async (subject) => {
    await subject.files.put(key, patternOf(1_000), 'image/png')
    await subject.files.put(key, patternOf(10, 7), 'video/mp4')
    await assertFile(subject, key, patternOf(10, 7), 'video/mp4')
  },

  'if a stream breaks, nothing is stored, and put rejects': async (subject) => {
    for (const chunks of [[], [patternOf(10)], [patternOf(100_000), patternOf(100_000)]]) {
      await assert.rejects(subject.files.put(key, streamOf(chunks, broken), 'image/png'))
      await assertAbsent(subject, key)
    }
    await subject.files.put(key, patternOf(10), 'image/png')
    await assertFile(subject, key, patternOf(10))
  },

  'a stream that breaks leaves the earlier file as it was': async (subject) => {
    await subject.files.put(key, patternOf(1_000), 'image/png')
    await assert.rejects(subject.files.put(key, streamOf([patternOf(10, 7)], broken), 'video/mp4'))
    await assertFile(subject, key, patternOf(1_000))
  },

  'a stream of anything but bytes is refused, let go of, and leaves nothing': async (subject) => {
    for (const chunks of [['a kite'], [patternOf(100_000), 'a kite'], [[1, 2, 3]], [7]]) {
      let isLetGo = false
      const rest: unknown[] = [...chunks]
      const body = new ReadableStream(
        {
          pull(controller) {
            if (rest.length === 0) controller.close()
            else controller.enqueue(rest.shift())
          },
          cancel: () => void (isLetGo = true),
        },
        { highWaterMark: 0 },
      )
      await assert.rejects(subject.files.put(key, body, 'image/png'))
      assert.ok(isLetGo, 'the stream was not canceled')
      await assertAbsent(subject, key)
    }
  },

  'a file that is still coming in is not there yet': async (subject) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const stored = subject.files.put(key, readable, 'image/png')
    const writer = writable.getWriter()
    await writer.write(patternOf(1_000))
    await assertAbsent(subject, key)
    await writer.close()
    await stored
    await assertFile(subject, key, patternOf(1_000))
  },

  'of ten writes to one key at the same time, one is kept whole': async (subject) => {
    const bodies = Array.from({ length: 10 }, (_, index) => new Uint8Array(100_000 + index).fill(index))
    const isStream = (index: number) => index % 2 === 1
    const halves = (body: Uint8Array) => streamOf([body.slice(0, 50_000), body.slice(50_000)])
    await Promise.all(
      bodies.map((body, index) => subject.files.put(key, isStream(index) ? halves(body) : body, 'image/png')),
    )
    const content = await readBack(subject, key)
    assert.ok(content)
    assertBytes(content.bytes, bodies[content.bytes[0] ?? 0] ?? new Uint8Array())
  },
}
