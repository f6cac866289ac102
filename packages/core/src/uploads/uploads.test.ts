import { expect, test, vi } from 'vitest'
import { uploads } from '@genmount/core/uploads'
import { type FileStore, memoryFileStore } from '@genmount/core'
import { fakeFile, fakeWorld } from '@genmount/testing'

const picture = fakeFile('image').bytes
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A stream of these pieces that counts how many of them were read. */
function pieces(...all: readonly Uint8Array[]) {
  const seen = { asked: 0, reason: undefined as unknown }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = all[seen.asked++]
        if (piece) controller.enqueue(piece)
        else controller.close()
      },
      cancel: (reason) => void (seen.reason = reason),
    },
    { highWaterMark: 0 },
  )
  return { stream, seen }
}

/** A stream that begins as a picture and then waits for ever. */
function stalled() {
  return new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(picture.slice(0, 20)) })
}

function world(options: Parameters<typeof fakeWorld>[1] = {}) {
  const files: FileStore = options.files ?? memoryFileStore()
  const made = fakeWorld({}, { plugins: [uploads()], ...options, files })
  const { uploads: taker } = made.service
  if (!taker) throw new Error('The service takes no uploads.')
  const kept = async () => {
    const keys: string[] = []
    for await (const key of files.list?.('uploads/') ?? []) keys.push(key)
    return keys
  }
  const upload = (bytes: Uint8Array = picture, owner = 'alice') => taker.store(owner, pieces(bytes).stream)
  return { ...made, files, taker, kept, upload }
}

test('an upload is stored whole, with its size and the type of its bytes, under an unguessable id', async () => {
  const { taker, files, kept, clock, service } = world({ plugins: [uploads({ retentionHours: 2 })] })
  const upload = await taker.store('alice', pieces(picture.slice(0, 3), picture.slice(3)).stream)
  expect(upload).toEqual({
    id: expect.stringMatching(/^up_[0-9a-f]{44}\.png$/),
    url: `upload://${upload.id}`,
    contentType: 'image/png',
    bytes: picture.byteLength,
    sha256: undefined,
    createdAt: clock.now(),
    expiresAt: clock.now() + 2 * 3_600_000,
  })
  const [key = ''] = await kept()
  expect(key).not.toContain(upload.id.slice(15, 40))
  expect(await new Response((await files.open?.(key))?.read()).bytes()).toEqual(picture)
  await service.close()
})

test.each([
  ['text', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'unsupported_media_type'],
  ['nothing', new Uint8Array(), 'invalid_request'],
])('an upload of %s is refused and leaves nothing', async (_what, bytes, code) => {
  const { upload, kept, service } = world()
  await expect(upload(bytes)).rejects.toMatchObject({ code })
  expect(await kept()).toEqual([])
  await service.close()
})

test('an upload that is too large is read only up to the limit, and nothing is stored', async () => {
  const { taker, kept, service } = world({ plugins: [uploads({ maxBytes: 100 })] })
  const piece = new Uint8Array(40)
  const { stream, seen } = pieces(picture.slice(0, 40), piece, piece, piece, piece)
  await expect(taker.store('alice', stream)).rejects.toMatchObject({ code: 'request_too_large' })
  expect(seen.asked).toBe(3)
  expect(seen.reason).toMatchObject({ code: 'request_too_large' })
  expect(await kept()).toEqual([])
  const exact = await taker.store('alice', pieces(picture.slice(0, 60), piece).stream)
  expect(exact.bytes).toBe(100)
  await service.close()
})

test('an upload is read no faster than the file store takes it, after the bytes that show its type', async () => {
  const wanted = Promise.withResolvers<void>()
  const memory = memoryFileStore()
  const { taker, service } = world({
    files: { ...memory, put: async (...put) => (await wanted.promise, memory.put(...put)) },
  })
  const { stream, seen } = pieces(picture.slice(0, 20), picture.slice(20), new Uint8Array(9))
  const storing = taker.store('alice', stream)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(seen.asked).toBe(1)
  wanted.resolve()
  expect((await storing).bytes).toBe(picture.byteLength + 9)
  await service.close()
})

test('the type of an upload is that of its bytes, also when they arrive one at a time', async () => {
  const { taker, service } = world()
  const files = {
    'image/avif': '\0\0\0\x1cftypmif1\0\0\0\0mif1miafavif and more',
    'video/x-matroska': '\x1aE\xdf\xa3\xa3B\x86\x81\x01B\x82\x88matroska and more',
    'video/mp2t': `G${'\0'.repeat(187)}`.repeat(4),
  }
  for (const [contentType, text] of Object.entries(files)) {
    const bytes = Array.from(text, (character) => Uint8Array.of(character.charCodeAt(0)))
    expect(await taker.store('alice', pieces(...bytes).stream)).toMatchObject({ contentType })
  }
  await service.close()
})

test('an upload that breaks off leaves nothing and frees its place', async () => {
  const { taker, kept, upload, service } = world({ plugins: [uploads({ maxAtOnce: 1 })] })
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(picture)
      setTimeout(() => controller.error(new Error('The line is cut.')), 10)
    },
  })
  await expect(taker.store('alice', broken)).rejects.toThrow('The line is cut.')
  expect(await kept()).toEqual([])
  await upload()
  await service.close()
})

test('a full file store is store_unavailable, and its fault goes only to the log', async () => {
  const fault = new Error('no space is left on the disk')
  const files = {
    ...memoryFileStore(),
    async put(_key: string, body: Uint8Array | ReadableStream<Uint8Array>) {
      if (body instanceof ReadableStream) await body.cancel(fault)
      throw fault
    },
  }
  const { upload, service } = world({ files })
  await expect(upload()).rejects.toMatchObject({ code: 'store_unavailable', cause: fault })
  await service.close()
})

test('while many uploads arrive, an owner may have at most as many as are left for others', async () => {
  const { taker, service } = world({ plugins: [uploads({ maxAtOnce: 4 })] })
  const refused = { code: 'capacity_exceeded' }
  const begun: Promise<unknown>[] = []
  const begin = (owner: string) => begun.push(taker.store(owner, stalled()).catch((error: unknown) => error))
  begin('alice')
  begin('alice')
  await expect(taker.store('alice', stalled())).rejects.toMatchObject(refused)
  begin('bob')
  begin('carol')
  const { stream, seen } = pieces(picture)
  await expect(taker.store('dave', stream)).rejects.toMatchObject(refused)
  expect(seen.asked).toBe(0)
  await service.close()
  expect(await Promise.all(begun)).toEqual(
    begun.map(() => expect.objectContaining({ code: 'shutting_down' })),
  )
})

test('a close ends uploads that are coming in, and leaves nothing of them', async () => {
  const { taker, kept, service } = world()
  const storing = taker.store('alice', stalled()).catch((error: unknown) => error)
  expect(await service.close()).toEqual({ leftJobs: [], unclosed: [] })
  expect(await storing).toMatchObject({ code: 'shutting_down' })
  await expect(taker.store('alice', pieces(picture).stream)).rejects.toMatchObject({
    code: 'shutting_down',
  })
  expect(await kept()).toEqual([])
})

test('expired uploads are deleted by any process, and other uploads are not', async () => {
  const { upload, files, kept, clock, service, serviceOver } = world({
    plugins: [uploads({ retentionHours: 1 })],
  })
  await upload()
  await files.put('uploads/of-somebody-else', picture, 'image/png')
  await service.close()
  const later = serviceOver({ plugins: [uploads({ retentionHours: 48 })] })
  later.start()
  await clock.advance(3_500_000)
  await later.uploads?.store('bob', pieces(picture).stream)
  expect(await kept()).toHaveLength(3)
  await clock.advance(700_000)
  await vi.waitFor(async () => expect(await kept()).toHaveLength(2), 10_000)
  expect(await kept()).toContain('uploads/of-somebody-else')
  await later.close()
})

test('uploads that can not be deleted do not delay the deletion of others', async () => {
  const memory = memoryFileStore()
  let broken = ''
  const files: FileStore = {
    ...memory,
    delete: (key) => (key === broken ? Promise.reject(new Error('no')) : memory.delete(key)),
  }
  const { upload, kept, clock, service } = world({ files, plugins: [uploads({ retentionHours: 1 })] })
  for (let count = 0; count < 30; count++) await upload()
  broken = (await kept())[7] ?? ''
  await clock.advance(2 * 3_600_000)
  await vi.waitFor(async () => expect(await kept()).toEqual([broken]), 10_000)
  await service.close()
})

test('a deleted upload is gone, and a foreign upload can not be deleted', async () => {
  const { upload, taker, kept, clock, service } = world({ plugins: [uploads({ retentionHours: 1 })] })
  const { id } = await upload()
  const gone = { code: 'file_not_found' }
  await expect(taker.delete(id, 'bob')).rejects.toMatchObject(gone)
  expect(await kept()).toHaveLength(1)
  await taker.delete(id, 'alice')
  expect(await kept()).toEqual([])
  for (const text of [id, '', '../x', 'up_', id.replace('.png', '.exe')])
    await expect(taker.delete(text, 'alice')).rejects.toMatchObject(gone)
  const expired = await upload()
  await clock.advance(3_600_000)
  await expect(taker.delete(expired.id, 'alice')).rejects.toMatchObject(gone)
  await service.close()
})
