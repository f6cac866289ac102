import { Readable } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { memoryFileStore } from './memory-file-store.ts'

afterEach(() => void vi.restoreAllMocks())

const full = { code: 'capacity_exceeded' }
const hourMs = 60 * 60_000

/** A store of 1000 bytes, each file with its byte more, and its clock. */
function setUp() {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const files = memoryFileStore({ maxBytes: 1000 })
  return {
    files,
    put: (key: string, owner: string, bytes: number) =>
      files.put(key, new Uint8Array(bytes), 'image/png', { owner }),
    keys: async () => (await Readable.from(files.list!('')).toArray()).toSorted(),
    wait: (ms: number) => (now += ms),
  }
}

test('a file that would push out files of the last hour is refused, and fits an hour later', async () => {
  const { put, keys, wait } = setUp()
  await put('a', 'alice', 499)
  wait(hourMs / 2)
  await put('b', 'bob', 499)
  await expect(put('c', 'carol', 300)).rejects.toMatchObject(full)
  await expect(put('a', 'alice', 600)).rejects.toMatchObject(full)
  await put('b', 'bob', 450)
  expect(await keys()).toEqual(['a', 'b'])
  wait(hourMs / 2)
  await put('c', 'carol', 300)
  expect(await keys()).toEqual(['b', 'c'])
})

test('the files of the owner who needs room are dropped first, then the least recently read files of all', async () => {
  const { put, keys, wait, files } = setUp()
  for (const key of ['a', 'b', 'c', 'b2']) await put(key, key[0]!, 199)
  wait(hourMs)
  await files.open?.('a')
  await put('b3', 'b', 399)
  expect(await keys()).toEqual(['a', 'b2', 'b3', 'c'])
  await put('b4', 'b', 399)
  expect(await keys()).toEqual(['a', 'b3', 'b4'])
})

test('the uploads of an owner take at most as much as its files leave free, and its outputs all that is free', async () => {
  const { put, keys } = setUp()
  await put('uploads/1', 'bob', 299)
  await put('uploads/2', 'bob', 199)
  await expect(put('uploads/3', 'bob', 99)).rejects.toMatchObject(full)
  await put('uploads/4', 'alice', 249)
  await put('output', 'bob', 249)
  expect(await keys()).toEqual(['output', 'uploads/1', 'uploads/2', 'uploads/4'])
})

test('a stream whose expected length does not fit is canceled unread, and a longer one than expected is stored', async () => {
  const { put, files, keys } = setUp()
  await put('a', 'alice', 499)
  const reads = vi.fn()
  const cancel = vi.fn()
  const body = new ReadableStream<Uint8Array>({ pull: reads, cancel }, { highWaterMark: 0 })
  const details = { owner: 'bob', expectedBytes: 501 }
  await expect(files.put('b', body, 'image/png', details)).rejects.toMatchObject(full)
  expect(reads).not.toHaveBeenCalled()
  expect(cancel).toHaveBeenCalledTimes(1)
  const longer = new Blob([new Uint8Array(400)]).stream()
  await files.put('c', longer, 'image/png', { owner: 'bob', expectedBytes: 3 })
  expect(await keys()).toEqual(['a', 'c'])
})
