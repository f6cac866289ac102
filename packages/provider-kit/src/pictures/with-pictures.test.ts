import { memoryUsage } from 'node:process'
import type { FileFetch } from '@genmount/core'
import { FetchRefusedError } from '@genmount/guarded-fetch'
import { expect, test } from 'vitest'
import { PictureError } from './read-picture.ts'
import { picturesInMemory, pictureRefusal, withPictures } from './with-pictures.ts'

const mebibyte = 1024 * 1024
const pngStart = [137, 80, 78, 71, 13, 10, 26, 10]
const { signal } = new AbortController()
const url = 'https://pictures.example/a'

/** A fetch that returns a picture of this size, with the same limits as `guardedFetch`. */
function serving(size: number) {
  const limits: number[] = []
  const fetchFile: FileFetch = async (_url, { maxBytes }) => {
    limits.push(maxBytes)
    if (size > maxBytes) throw new FetchRefusedError('too_large', 'It sent too much.')
    return { body: picture(size) }
  }
  return {
    fetchFile,
    limits,
    reading: { types: ['png'], fetchFile, signal, line: 'test', owner: undefined } as const,
  }
}

function picture(size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      const chunk = new Uint8Array(Math.min(65_536, size - sent))
      if (sent === 0) chunk.set(pngStart)
      sent += chunk.length
      controller.enqueue(chunk)
      if (sent === size) controller.close()
    },
  })
}

test('60 tasks with large images hold at most the memory of the budget', async () => {
  const { reading } = serving(15 * mebibyte)
  const before = memoryUsage().arrayBuffers
  let most = { bytes: 0, tasks: 0, memory: 0 }
  const sizes = await Promise.all(
    Array.from({ length: 60 }, () =>
      withPictures([url], reading, async ([{ bytes }]) => {
        await new Promise((resolve) => setImmediate(resolve))
        most = {
          bytes: Math.max(most.bytes, picturesInMemory.bytes),
          tasks: Math.max(most.tasks, picturesInMemory.tasks),
          memory: Math.max(most.memory, memoryUsage().arrayBuffers - before),
        }
        return bytes.byteLength
      }),
    ),
  )
  expect(sizes).toEqual(Array.from({ length: 60 }, () => 15 * mebibyte))
  expect(most.bytes).toBeGreaterThan(100 * mebibyte)
  expect(most.bytes).toBeLessThanOrEqual(256 * mebibyte)
  // All pictures together have 60 x 15 MiB = 900 MiB. Memory that is no longer used counts until it is collected.
  expect(most.memory).toBeLessThan(700 * mebibyte)
  expect(picturesInMemory).toEqual({ tasks: 0, bytes: 0 })
})

test('a task reserves 2 MiB for its image, and 20 MiB for a larger one', async () => {
  const small = serving(1000)
  await withPictures([url], small.reading, async ([{ bytes }]) => {
    expect([bytes.byteLength, picturesInMemory.bytes]).toEqual([1000, 1000])
  })
  expect(small.limits).toEqual([2 * mebibyte])
  const large = serving(3 * mebibyte)
  await withPictures([url], { ...large.reading, copies: 4 }, async () => {
    expect(picturesInMemory.bytes).toBe(12 * mebibyte)
  })
  expect(large.limits).toEqual([2 * mebibyte, 20 * mebibyte])
  const huge = serving(21 * mebibyte)
  const work = withPictures([url], huge.reading, async () => {})
  await expect(work).rejects.toThrow(new PictureError('It sent too much.'))
})

test('an owner whose image servers hang does not delay the images of other owners', async () => {
  const { reading } = serving(1000)
  const caller = new AbortController()
  const owners: (string | undefined)[] = []
  const hanging: FileFetch = (_url, limits) => {
    owners.push(limits.owner)
    return new Promise((_, reject) => {
      limits.signal.addEventListener('abort', () => reject(limits.signal.reason))
    })
  }
  const alices = Array.from({ length: 300 }, () =>
    withPictures(
      [url],
      { ...reading, fetchFile: hanging, signal: caller.signal, owner: 'alice' },
      async () => {},
    ),
  )
  const outcomes = Promise.allSettled(alices)
  await expect.poll(() => owners.length).toBeGreaterThan(30)
  const bobs = withPictures([url], { ...reading, owner: 'bob', patienceMs: 1000 }, async () => 'served')
  expect(await bobs).toBe('served')
  expect(new Set(owners)).toEqual(new Set(['alice']))
  caller.abort(new Error('left'))
  await outcomes
  expect(picturesInMemory).toEqual({ tasks: 0, bytes: 0 })
})

test('the images of a task and their copies share one budget', async () => {
  const { reading, limits } = serving(5 * mebibyte)
  const work = withPictures(
    Array.from({ length: 16 }, () => url),
    { ...reading, copies: 4 },
    async () => {},
  )
  await expect(work).rejects.toThrow(PictureError)
  expect(Math.max(...limits)).toBe(4 * mebibyte)
  expect(picturesInMemory).toEqual({ tasks: 0, bytes: 0 })
})

test('a task without images never waits, and data URIs count towards the budget', async () => {
  const { reading } = serving(0)
  expect(await withPictures([], reading, async (pictures) => pictures.length)).toBe(0)
  await withPictures(['data:image/png;base64,iVBORw0KGgo='], reading, async ([{ bytes }]) => {
    expect([bytes.byteLength, picturesInMemory.bytes]).toEqual([8, 8])
  })
})

test('the image budget is free again when a task fails or is aborted', async () => {
  const { reading } = serving(1000)
  const failing = withPictures([url], reading, async () => {
    throw new Error('out of paint')
  })
  await expect(failing).rejects.toThrow('out of paint')
  const caller = new AbortController()
  const fetchFile: FileFetch = (_url, limits) =>
    new Promise((_resolve, reject) => {
      limits.signal.addEventListener('abort', () => reject(new Error('stopped')))
      if (limits.signal.aborted) reject(new Error('stopped'))
      caller.abort(new Error('not wanted any more'))
    })
  const called = withPictures([url, url], { ...reading, fetchFile, signal: caller.signal }, async () => {})
  await expect(called).rejects.toThrow('not wanted any more')
  expect(picturesInMemory).toEqual({ tasks: 0, bytes: 0 })
})

test('a submit that gets no image budget in time is refused for a later retry, before anything is fetched', async () => {
  const { reading, limits } = serving(1000)
  const { promise: rest, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const first = withPictures([url], { ...reading, atOnce: 1 }, async () => {
    begin()
    await rest
  })
  await begun
  const error = await withPictures([url], { ...reading, atOnce: 1, patienceMs: 1 }, async () => {}).catch(
    (reason: unknown) => reason,
  )
  expect(pictureRefusal(error)).toMatchObject({ state: 'refused', retryAfterMs: 2000 })
  expect(limits).toHaveLength(1)
  end()
  await first
  expect(pictureRefusal(new PictureError('gone'))).toMatchObject({ state: 'failed', message: 'gone' })
  expect(() => pictureRefusal(new Error('out of memory'))).toThrow('out of memory')
})
