import { expect, test, vi } from 'vitest'
import { limits } from '@genmount/core/limits'
import { uploads } from '@genmount/core/uploads'
import { type JobStore, memoryBackend, memoryFileStore } from '@genmount/core'
import { fakeFile, fakeWorld, type ProcessChanges } from '@genmount/testing'

const kibibyte = 1024
const hourMs = 60 * 60_000
const usedUp = { code: 'insufficient_quota' }

function streamOf(bytes: number, behave: { readonly failAfter?: number } = {}) {
  const file = new Uint8Array(bytes)
  file.set(fakeFile('image').bytes.subarray(0, bytes))
  const seen = { pieces: 0 }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const from = seen.pieces++ * kibibyte
        if (from >= (behave.failAfter ?? Infinity)) controller.error(new Error('The client is gone.'))
        else if (from < bytes) controller.enqueue(file.slice(from, from + kibibyte))
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, seen }
}

function world(changes: ProcessChanges = {}) {
  const files = memoryFileStore()
  const made = fakeWorld(
    {},
    { plugins: [uploads(), limits({ storedBytes: 10 * kibibyte })], ...changes, files },
  )
  const taker = made.service.uploads!
  return {
    ...made,
    files,
    taker,
    upload: (bytes: number, owner = 'alice') => taker.store(owner, streamOf(bytes).stream),
    create: (owner = 'alice') =>
      made.service.create({ owner, model: 'fake-image', input: { prompt: 'a fox' } }),
    stored: (owner = 'alice') => made.jobs.storedBytes!(owner, made.clock.now()),
  }
}

test('an upload above the limit is refused by its announced length, or else at the byte that passes the limit', async () => {
  const { taker, upload, stored, files } = world()
  await upload(6 * kibibyte)
  const announced = streamOf(5 * kibibyte)
  await expect(taker.store('alice', announced.stream, { bytes: 5 * kibibyte })).rejects.toMatchObject({
    ...usedUp,
    message: `There is no room for this file. Your files take ${6 * kibibyte} bytes; ${10 * kibibyte} are allowed. Delete jobs or uploads, or wait until they expire.`,
  })
  expect(announced.seen.pieces).toBeLessThanOrEqual(2)
  const streamed = streamOf(100 * kibibyte)
  await expect(taker.store('alice', streamed.stream)).rejects.toMatchObject(usedUp)
  expect(streamed.seen.pieces).toBe(5)
  const lying = streamOf(100 * kibibyte)
  await expect(taker.store('alice', lying.stream, { bytes: 10 })).rejects.toMatchObject(usedUp)
  expect(lying.seen.pieces).toBe(5)
  expect(await stored()).toBe(6 * kibibyte)
  const keys: string[] = []
  for await (const key of files.list!('uploads/')) keys.push(key)
  expect(keys).toHaveLength(1)
  await upload(4 * kibibyte)
  await upload(10 * kibibyte, 'bob')
})

test('uploads and outputs count together as stored bytes, and a deleted or expired upload does not count', async () => {
  const { taker, upload, create, clock, stored } = world({
    plugins: [uploads({ retentionHours: 2 }), limits({ storedBytes: 10 * kibibyte })],
  })
  const first = await upload(6 * kibibyte)
  await create()
  await clock.advance(1000)
  const outputs = (await stored()) - 6 * kibibyte
  expect(outputs).toBe(fakeFile('image').bytes.byteLength)
  await upload(4 * kibibyte - outputs)
  await expect(create()).rejects.toMatchObject(usedUp)
  await expect(upload(100)).rejects.toMatchObject(usedUp)
  await taker.delete(first.id, 'alice')
  await create()
  await clock.advance(1000)
  await clock.advance(2 * hourMs)
  expect(await stored()).toBe(2 * outputs)
  await upload(10 * kibibyte - 2 * outputs)
})

test('an upload whose client goes away does not count as stored bytes', async () => {
  const { taker, stored } = world()
  const { stream } = streamOf(8 * kibibyte, { failAfter: 3 * kibibyte })
  await expect(taker.store('alice', stream, { bytes: 8 * kibibyte })).rejects.toThrow('The client is gone.')
  expect(await stored()).toBe(0)
})

test('an upload whose client goes away while its room is reserved does not count as stored bytes', async () => {
  const { serviceOver, jobs, stored } = world()
  const reservation = Promise.withResolvers<void>()
  let notes = 0
  const noteUpload: typeof jobs.noteUpload = async (note) => {
    if (notes++ === 0) await reservation.promise
    await jobs.noteUpload!(note)
  }
  const { uploads: taker } = serviceOver({ jobs: { noteUpload } })
  const { stream } = streamOf(8 * kibibyte, { failAfter: kibibyte })
  const refused = taker!.store('alice', stream, { bytes: 8 * kibibyte }).catch((fault: Error) => fault)
  await vi.waitFor(() => expect(notes).toBeGreaterThan(0), 60_000)
  // All promises that do not wait for the reservation settle meanwhile.
  await new Promise((resolve) => void setImmediate(resolve))
  reservation.resolve()
  expect(await refused).toMatchObject({ message: 'The client is gone.' })
  await vi.waitFor(() => expect(notes).toBe(2), 60_000)
  await new Promise((resolve) => void setImmediate(resolve))
  expect(await stored()).toBe(0)
})

test('the room that a dead process had reserved for uploads is free two hours later', async () => {
  const { taker, upload, stored, clock } = world()
  const stalled = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(fakeFile('image').bytes.slice(0, 100)),
  })
  void taker.store('alice', stalled, { bytes: 8 * kibibyte }).catch(() => {})
  await vi.waitFor(async () => expect(await stored()).toBe(8 * kibibyte), 60_000)
  await expect(upload(3 * kibibyte)).rejects.toMatchObject(usedUp)
  await clock.advance(2 * hourMs)
  expect(await stored()).toBe(0)
})

test('an upload whose bytes can not be counted is refused and not kept', async () => {
  const { serviceOver, files } = world()
  let notes = 0
  const noteUpload = async () => {
    if (notes++ > 0) throw new Error('The disk is full.')
  }
  const { uploads: taker } = serviceOver({ jobs: { noteUpload } })
  await expect(taker!.store('alice', streamOf(2 * kibibyte).stream)).rejects.toMatchObject({
    code: 'store_unavailable',
  })
  expect(notes).toBeGreaterThan(1)
  for await (const key of files.list!('uploads/')) expect(key).toBeUndefined()
})

test('the deletion of an upload that could not be counted is counted when it is repeated', async () => {
  const { serviceOver, jobs, stored } = world()
  let isFull = false
  const { uploads: taker } = serviceOver({
    jobs: {
      noteUpload: async (note) => {
        if (isFull) throw new Error('The disk is full.')
        await jobs.noteUpload!(note)
      },
    },
  })
  const { id } = await taker!.store('alice', streamOf(kibibyte).stream)
  isFull = true
  await expect(taker!.delete(id, 'alice')).rejects.toMatchObject({ code: 'store_unavailable' })
  isFull = false
  await expect(taker!.delete(id, 'alice')).rejects.toMatchObject({ code: 'file_not_found' })
  expect(await stored()).toBe(0)
})

test('without a limit on stored bytes, nothing is counted', async () => {
  const notes: unknown[] = []
  const noteUpload = async (note: unknown) => void notes.push(note)
  const { serviceOver } = world({ plugins: [uploads(), limits({ runningJobs: 5 })] })
  await serviceOver({ jobs: { noteUpload } }).uploads!.store('alice', streamOf(100).stream)
  expect(notes).toEqual([])
})

test.each(['announced', 'not announced'])(
  'of uploads at the same time that do not fit together, as many are stored as fit when their length is %s',
  async (length) => {
    const { taker, stored } = world()
    const size = length === 'announced' ? { bytes: 4 * kibibyte } : undefined
    const stores = Array.from({ length: 8 }, () => taker.store('alice', streamOf(4 * kibibyte).stream, size))
    const outcomes = await Promise.allSettled(stores)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(usedUp)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await stored()).toBe(8 * kibibyte)
  },
)

test('an upload counts until it expires, also when its file is stored before its reservation is', async () => {
  const { jobs } = memoryBackend()
  const slow = vi.fn<NonNullable<JobStore['noteUpload']>>(async (note) => {
    if (slow.mock.calls.length === 1) await new Promise((resolve) => setTimeout(resolve, 50))
    await jobs.noteUpload!(note)
  })
  const { taker, clock } = world({ jobs: { ...jobs, noteUpload: slow } })
  await taker.store('alice', streamOf(12).stream, { bytes: 12 })
  await Promise.all(slow.mock.results.map(({ value }) => value as Promise<void>))
  await clock.advance(3 * hourMs)
  expect(await jobs.storedBytes!('alice', clock.now())).toBe(12)
})
