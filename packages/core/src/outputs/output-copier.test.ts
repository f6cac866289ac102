import { expect, test } from 'vitest'
import { fakeProvider, fakeWorld, type QuietLog } from '@genmount/testing'
import type { FileFetch, FileStore } from '../contracts/storage/file-store.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { createGenerationService } from '../service/create-generation-service.ts'
import type { GenerationServiceOptions } from '../service/generation-service-options.ts'

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4, 5])
const link = (n: number) => ({ url: `https://cdn.test/${n}` })

/** A body in chunks of one byte. */
function trickle(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let offset = 0
  return new ReadableStream({
    pull(controller) {
      if (offset === bytes.byteLength) controller.close()
      else controller.enqueue(bytes.slice(offset, ++offset))
    },
  })
}

const serves: FileFetch = async () => ({ body: trickle(png) })
const refuses = (retryable: boolean) => async () => {
  throw Object.assign(new Error('cdn.test says no.'), { retryable })
}
const hangs: FileFetch = (_url, { signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

function setUp(fetch: FileFetch, options: Partial<GenerationServiceOptions> = {}, outputs = [link(0)]) {
  const stored = new Set<string>()
  const asked: string[] = []
  const memory = memoryFileStore()
  const files: FileStore = {
    ...memory,
    fetch: (url, limits) => (asked.push(url), fetch(url, limits)),
    put: async (key, body, contentType) => {
      await memory.put(key, body, contentType)
      stored.add(key)
    },
    delete: async (key) => void stored.delete(key),
  }
  const world = fakeWorld({ behave: [{ outputs }] }, { files, ...options })
  const { service } = world
  return {
    ...world,
    service,
    create: async () => (await world.create()).id,
    read: world.jobs.get,
    files,
    asked,
    stored,
  }
}

/** The log lines about copies. */
const told = ({ lines }: QuietLog) => lines.filter((line) => line.startsWith('The outputs of job'))

test('an output link is copied after its job has completed, and its media type is read from its first bytes', async () => {
  const gate = Promise.withResolvers<void>()
  const { clock, service, create, read, files } = setUp((url, limits) =>
    gate.promise.then(() => serves(url, limits)),
  )
  const id = await create()
  await clock.advance(0)
  const completed = await read(id)
  expect(completed).toMatchObject({ phase: 'completed', outputs: [link(0)] })
  gate.resolve()
  await clock.advance(0)
  const copied = await read(id)
  expect(copied?.outputs).toEqual([{ fileKey: `${id}-0`, contentType: 'image/png', bytes: 13 }])
  const file = await files.open?.(`${id}-0`)
  expect(new Uint8Array(await new Response(file?.read()).arrayBuffer())).toEqual(png)
  for (const field of ['completedAt', 'costUsd', 'input', 'phase', 'expiresAt'] as const)
    expect(copied?.[field]).toEqual(completed?.[field])
  await service.close()
})

test('a drawing behind a link is told by its first tag, and copied whole', async () => {
  const drawing = new TextEncoder().encode(`<?xml version="1.0"?>\n<svg width="1">${' '.repeat(3000)}</svg>`)
  const { clock, service, create, read, files } = setUp(async () => ({ body: trickle(drawing) }))
  const id = await create()
  await clock.advance(0)
  expect((await read(id))?.outputs).toEqual([
    { fileKey: `${id}-0`, contentType: 'image/svg+xml', bytes: drawing.byteLength },
  ])
  expect((await files.open?.(`${id}-0`))?.size).toBe(drawing.byteLength)
  await service.close()
})

test('a copy gets the media type of its bytes, or else the one that the provider named', async () => {
  const rare = Uint8Array.of(0, 0, 2, 0, 0, 0, 0, 0)
  const fetch: FileFetch = async (url) => ({ body: trickle(url.endsWith('0') ? rare : png) })
  const outputs = [link(0), link(1)].map((output) => ({ ...output, contentType: 'image/x-tga' }))
  const { clock, create, read } = setUp(fetch, {}, outputs)
  const id = await create()
  await clock.advance(0)
  expect((await read(id))?.outputs).toEqual([
    { fileKey: `${id}-0`, contentType: 'image/x-tga', bytes: 8 },
    { fileKey: `${id}-1`, contentType: 'image/png', bytes: 13 },
  ])
})

test('a failed copy is tried again after growing pauses, and the job stays completed', async () => {
  let failures = 6
  const { clock, provider, log, service, create, read, asked } = setUp((url, limits) =>
    failures-- > 0 ? refuses(true)() : serves(url, limits),
  )
  const id = await create()
  await clock.advance(10_000)
  expect(asked.length).toBeGreaterThanOrEqual(3)
  expect(asked.length).toBeLessThanOrEqual(5)
  expect(await read(id)).toMatchObject({ phase: 'completed', outputs: [link(0)] })
  await clock.advance(120_000)
  expect(await read(id)).toMatchObject({ phase: 'completed', outputs: [{ fileKey: `${id}-0` }] })
  expect(told(log)).toEqual([
    `The outputs of job ${id} could not be copied and are tried again: cdn.test says no.`,
  ])
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test.each([
  ['for now', true, 24, 12 * 3_600_000],
  ['for good', false, 5, 60_000],
])(
  'a copy that is refused %s is given up after its last try, and the link stays',
  async (_what, retryable, tries, ms) => {
    const { clock, log, service, create, read, asked } = setUp(refuses(retryable))
    const id = await create()
    await clock.advance(ms)
    expect(asked).toHaveLength(tries)
    const job = await read(id)
    expect(job).toMatchObject({ phase: 'completed', outputs: [link(0)] })
    expect(job?.dueAt).toBeUndefined()
    expect(told(log)).toHaveLength(2)
    expect(told(log)[1]).toContain(`job ${id} could not be copied and stay at the provider`)
    await clock.advance(2 * 3_600_000)
    expect(asked).toHaveLength(tries)
    await service.close()
  },
)

test('of several outputs, the copied ones are kept and only the others are tried again', async () => {
  let failures = 1
  const { clock, service, create, read, asked } = setUp(
    (url, limits) => (url.endsWith('/1') && failures-- > 0 ? refuses(true)() : serves(url, limits)),
    {},
    [link(0), link(1), link(2)],
  )
  const id = await create()
  await clock.advance(0)
  expect((await read(id))?.outputs.map(({ fileKey }) => fileKey)).toEqual([`${id}-0`, undefined, `${id}-2`])
  await clock.advance(10_000)
  expect((await read(id))?.outputs.map(({ fileKey }) => fileKey)).toEqual([`${id}-0`, `${id}-1`, `${id}-2`])
  expect(asked.map((url) => url.at(-1))).toEqual(['0', '1', '2', '1'])
  await service.close()
})

test('an empty answer is not kept as a copy', async () => {
  const { clock, service, create, read, stored } = setUp(async () => ({ body: trickle(new Uint8Array()) }))
  const id = await create()
  await clock.advance(60_000)
  expect((await read(id))?.outputs).toEqual([link(0)])
  expect([...stored]).toEqual([])
  await service.close()
})

test.each([
  ['<!doctype html><title>Sign in</title>', 'image/png', 24],
  ['{"error":"expired"}', 'application/octet-stream', 24],
  ['<!doctype html><title>Sign in</title>', 'text/html', 5],
  ['\x89PNG\r\n\x1a\n\0\0', 'text/html', 5],
  ['<html/>', 'application/xhtml+xml', 5],
])(
  'an answer %j that is sent as %s is not kept as a copy: after %i tries its link stays',
  async (text, contentType, tries) => {
    const body = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    const { clock, log, service, create, read, stored, asked } = setUp(async () => ({
      body: trickle(body),
      contentType,
    }))
    const id = await create()
    await clock.advance(12 * 3_600_000)
    expect((await read(id))?.outputs).toEqual([link(0)])
    expect([...stored]).toEqual([])
    expect(asked).toHaveLength(tries)
    expect(told(log).at(-1)).toContain(tries === 5 ? contentType : text)
    await service.close()
  },
)

test('the log does not contain the query of the link when a page repeats it', async () => {
  const fetch: FileFetch = async (url) => ({ body: trickle(new TextEncoder().encode(`No ${url} here`)) })
  const { clock, log, service, create } = setUp(fetch, {}, [{ url: 'https://cdn.test/1?sig=hunter2&x=' }])
  await create()
  await clock.advance(1000)
  expect(log.lines.join()).toContain('No https://cdn.test/1')
  expect(log.lines.join()).not.toContain('hunter2')
  await service.close()
})

test.each(['application/mp4', undefined, 'text/plain', 'application/x-download', 'mp4', 'application/json'])(
  'a film that its server sends as %s is copied by its first bytes',
  async (contentType) => {
    const film = Uint8Array.from('\0\0\0\x14ftypisom\0\0\0\0isom', (letter) => letter.charCodeAt(0))
    const { clock, service, create, read } = setUp(async () => ({ body: trickle(film), contentType }))
    const id = await create()
    await clock.advance(0)
    expect((await read(id))?.outputs).toEqual([
      { fileKey: `${id}-0`, contentType: 'video/mp4', bytes: film.byteLength },
    ])
    await service.close()
  },
)

test('a copy is aborted when the service closes, and made by the next process', async () => {
  let fetch = hangs
  const { clock, log, service, start, create, read } = setUp((url, limits) => fetch(url, limits))
  const id = await create()
  await clock.advance(1000)
  await service.close()
  expect((await read(id))?.claim?.until).toBeUndefined()
  fetch = serves
  const { service: next } = start()
  await clock.advance(10_000)
  expect((await read(id))?.outputs).toEqual([{ fileKey: `${id}-0`, contentType: 'image/png', bytes: 13 }])
  expect(told(log)).toEqual([])
  await next.close()
})

test('the fetch of a copy is given the largest size, and accepts every media type', async () => {
  let seen: unknown
  const { clock, service, create } = setUp(
    (url, limits) => {
      seen = limits
      return serves(url, limits)
    },
    { maxOutputBytes: 4711 },
  )
  await create()
  await clock.advance(0)
  expect(seen).toMatchObject({ maxBytes: 4711, accept: ['*/*'] })
  await service.close()
})

test('a job that expires while its output is copied is deleted with its file after the copy has ended', async () => {
  const gate = Promise.withResolvers<void>()
  const { clock, service, create, read, stored } = setUp(
    (url, limits) => gate.promise.then(() => serves(url, limits)),
    { retentionDays: 1 },
  )
  const id = await create()
  await clock.advance(25 * 3_600_000)
  expect(await read(id)).toBeDefined()
  gate.resolve()
  await clock.advance(10_000)
  expect(await read(id)).toBeUndefined()
  expect([...stored]).toEqual([])
  await service.close()
})

test('of many outputs, only a few are copied at a time', async () => {
  let most = 0
  let now = 0
  const { clock, service, create } = setUp(async (url, limits) => {
    most = Math.max(most, ++now)
    await new Promise<void>((resolve) => clock.after(1000, resolve))
    now--
    return serves(url, limits)
  })
  for (let i = 0; i < 30; i++) await create()
  await clock.advance(10_000)
  expect(most).toBe(8)
  await service.close()
})

test('without mirroring, outputs stay at the provider’s links', async () => {
  const { clock, service, create, read, asked } = setUp(serves, { keepOutputs: 'redirect' })
  const id = await create()
  await clock.advance(60_000)
  expect(asked).toEqual([])
  expect(await read(id)).toMatchObject({ phase: 'completed', outputs: [link(0)] })
  await service.close()
})

test('copies that a service with mirroring has begun are given up by one without', async () => {
  const { clock, service, start, create, read } = setUp(hangs)
  const id = await create()
  await clock.advance(0)
  await service.close()
  const { service: next } = start({ keepOutputs: 'redirect' })
  await clock.advance(10_000)
  expect((await read(id))?.dueAt).toBeUndefined()
  await next.close()
})

test('mirroring without a file store that can fetch throws a TypeError when the service is made', () => {
  const providers = [fakeProvider()]
  expect(() => createGenerationService({ providers, keepOutputs: 'mirror' })).toThrow(
    'files has no fetch: use a store that has one',
  )
  expect(() => createGenerationService({ providers, keepOutputs: 'copy' as never })).toThrow(
    `keepOutputs must be 'mirror' or 'redirect', not "copy".`,
  )
  expect(() => createGenerationService({ providers, maxOutputBytes: 0 })).toThrow('maxOutputBytes')
})

test('a process whose claim has run out stores no copy, because another process may have deleted the job', async () => {
  const files = memoryFileStore()
  const stored: string[] = []
  const rest = Promise.withResolvers<void>()
  const halves: FileFetch = async (_url, { signal }) => ({
    body: new ReadableStream({
      async start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason))
        controller.enqueue(png)
        await rest.promise
        if (!signal.aborted) controller.close()
      },
    }),
  })
  const put: FileStore['put'] = async (key, body, contentType) => {
    await files.put(key, body, contentType)
    stored.push(key)
  }
  const { clock, jobs, serviceOver } = fakeWorld(
    { behave: [{ outputs: [link(0)] }] },
    { files: { ...files, put, fetch: halves } },
  )
  let isCutOff = false
  const unlessCutOff =
    <Given extends readonly unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    (...given: Given) =>
      isCutOff ? Promise.reject(new Error('no route to the database')) : call(...given)
  const first = serviceOver({ jobs: { replace: unlessCutOff(jobs.replace), get: unlessCutOff(jobs.get) } })
  const { job } = await first.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
  await clock.advance(1000)
  isCutOff = true
  await clock.advance(40_000)
  await serviceOver().delete(job.id, 'alice')
  rest.resolve()
  await clock.advance(1000)
  expect(stored).toEqual([])
})
