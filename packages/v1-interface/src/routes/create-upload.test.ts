import {
  createGenerationService,
  type GenerationServiceOptions,
  type JsonObject,
  memoryFileStore,
} from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { fakeFile, fakeProvider, type ManualClock, manualClock, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createV1Interface } from '../interface/v1-interface.ts'
import type { BodyReader } from '../interface/v1-request.ts'
import { options } from '../test-kit/set-up.ts'

const picture = fakeFile('image').bytes

/** The interface at the root, over a service that takes uploads, and a client that sends bodies piece by piece. */
function mounted(changes: Partial<GenerationServiceOptions> = {}) {
  const clock = manualClock()
  const files = memoryFileStore()
  const inputs: JsonObject[] = []
  const provider = fakeProvider({ clock, behave: ({ input }) => (inputs.push(input), { delayMs: 30_000 }) })
  const service = createGenerationService({
    providers: [provider],
    clock,
    files,
    plugins: [uploads()],
    log: quietLog(),
    ...changes,
  })
  onTestFinished(async () => void (await service.close()))
  const answer = createV1Interface(service, options)

  async function ask(
    line: string,
    body?: BodyReader | { value: unknown },
    given: Record<string, string> = {},
  ) {
    const [method = '', path = ''] = line.split(' ')
    const headers: Record<string, string> = { host: 'm.test', authorization: 'Bearer alice-key', ...given }
    const reply = await answer({
      method,
      path,
      mountPath: '',
      scheme: 'https',
      header: (name) => headers[name],
      headers: () => headers,
      body: () => body ?? bodyOf(),
    })
    const text = await new Response(
      (reply.body ?? '') as string | ReadableStream<Uint8Array<ArrayBuffer>>,
    ).arrayBuffer()
    const isJson = reply.headers['content-type'] === 'application/json'
    return {
      ...reply,
      bytes: new Uint8Array(text),
      json: isJson ? JSON.parse(Buffer.from(text).toString()) : undefined,
    }
  }
  return { ask, clock, files, inputs }
}

/** A body of these pieces. An `undefined` piece never arrives, and an error breaks the body off. */
function bodyOf(...pieces: (Uint8Array | Error | undefined)[]) {
  const seen = { reads: 0, cancels: 0 }
  const reader: BodyReader = {
    async read() {
      if (seen.reads === pieces.length) return { done: true }
      const piece = pieces[seen.reads++]
      if (piece instanceof Error) throw piece
      return piece ? { value: piece } : new Promise(() => {})
    },
    cancel: () => void seen.cancels++,
  }
  return Object.assign(reader, { seen })
}

/** Advances the clock until the promise has settled. Hashes are made in real time, outside of the manual clock. */
async function inTime<Result>(clock: ManualClock, settling: Promise<Result>): Promise<Result> {
  const seen = { isOver: false }
  void settling.finally(() => (seen.isOver = true))
  while (!seen.isOver) {
    await clock.advance(1000)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return settling
}

test('without the plugin uploads, the paths of uploads are 404', async () => {
  const { ask } = mounted({ plugins: [] })
  for (const line of [
    'POST /v1/uploads',
    'DELETE /v1/uploads/x',
    `GET /v1/inputs/gen_1/${'a'.repeat(64)}/x.png`,
  ]) {
    const { status, json } = await ask(line)
    expect([status, json.error.code], line).toEqual([404, 'route_not_found'])
  }
})

test('an upload is answered with its object, and its body stream is released once', async () => {
  const { ask } = mounted({ plugins: [uploads({ retentionHours: 2 })] })
  const body = bodyOf(picture.slice(0, 9), new Uint8Array(), picture.slice(9))
  const { status, json } = await ask('POST /v1/uploads', body, { 'content-type': 'text/plain' })
  expect(status).toBe(201)
  expect(Object.keys(json)).toEqual([
    'id',
    'object',
    'url',
    'content_type',
    'bytes',
    'sha256',
    'created_at',
    'expires_at',
  ])
  expect(json).toMatchObject({
    object: 'upload',
    content_type: 'image/png',
    bytes: picture.length,
    sha256: null,
  })
  expect(Date.parse(json.expires_at) - Date.parse(json.created_at)).toBe(7_200_000)
  expect(body.seen.cancels).toBe(1)
})

test('an upload that announces too many bytes or has wrong headers is refused before a byte is read', async () => {
  const { ask } = mounted({ plugins: [uploads({ maxBytes: 1000 })] })
  const body = bodyOf(picture)
  const refusals: [Record<string, string>, string][] = [
    [{ 'content-length': '1001' }, 'request_too_large'],
    [{ 'content-type': 'multipart/form-data; boundary=x' }, 'unsupported_media_type'],
    [{ 'content-encoding': 'gzip' }, 'unsupported_media_type'],
    [{ authorization: 'Bearer wrong' }, 'invalid_api_key'],
  ]
  for (const [headers, code] of refusals)
    expect((await ask('POST /v1/uploads', body, headers)).json.error.code).toBe(code)
  expect(body.seen.reads).toBe(0)
  const parsed = await ask('POST /v1/uploads', { value: {} }, { 'content-type': 'application/json' })
  expect(parsed.json.error.message).toContain('image/png')
})

test('an upload whose client stops sending is given up after bodyTimeoutMs, and its place is free again', async () => {
  const { ask, clock, files } = mounted({ plugins: [uploads({ maxAtOnce: 1 })] })
  const body = bodyOf(picture, undefined)
  const stalled = ask('POST /v1/uploads', body)
  await vi.waitFor(() => expect(body.seen.reads).toBe(2), 60_000)
  await clock.advance(29_000)
  expect((await ask('POST /v1/uploads', bodyOf(picture))).json.error.code).toBe('capacity_exceeded')
  expect((await inTime(clock, stalled)).json.error.code).toBe('request_timeout')
  expect(body.seen.cancels).toBe(1)
  for await (const key of files.list?.('') ?? []) expect.unreachable(key)
  expect((await ask('POST /v1/uploads', bodyOf(picture))).status).toBe(201)
})

test('an upload of at least 64 KiB a second may take as long as its file needs, and a slower one is given up', async () => {
  const { ask, clock } = mounted()
  const send = async (bytes: number, everyMs: number) => {
    let sent = 0
    const reader: BodyReader = {
      read: () =>
        new Promise((resolve) => {
          if (sent++ === 100) return resolve({ done: true })
          clock.after(everyMs, () => resolve({ value: sent === 1 ? picture : new Uint8Array(bytes) }))
        }),
      cancel() {},
    }
    const replying = ask('POST /v1/uploads', reader)
    return (await inTime(clock, replying)).status
  }
  expect(await send(2 * 64 * 1024, 2000)).toBe(201)
  expect(await send(64 * 1024, 2000)).toBe(408)
  expect(await send(100, 2000)).toBe(408)
})

test('a slow file store does not use up the time that a client has for its upload', async () => {
  const memory = memoryFileStore()
  const clock = manualClock()
  const begun = Promise.withResolvers<void>()
  const files = {
    ...memory,
    async put(key: string, body: Uint8Array | ReadableStream<Uint8Array>, contentType: string) {
      await new Promise<void>((resolve) => {
        clock.after(200_000, resolve)
        begun.resolve()
      })
      return memory.put(key, body, contentType)
    },
  }
  const { ask } = mounted({ files, clock })
  const replying = ask('POST /v1/uploads', bodyOf(picture.slice(0, 20), picture.slice(20)))
  await begun.promise
  await clock.advance(201_000)
  expect((await replying).status).toBe(201)
})

test('an upload that breaks off or arrives in tiny pieces is refused, and nothing is stored', async () => {
  const { ask, files } = mounted()
  const bodies = [
    bodyOf(picture, new Error('reset')),
    bodyOf(picture.slice(0, 12), ...Array.from({ length: 1100 }, () => new Uint8Array(1))),
  ]
  for (const body of bodies)
    expect((await ask('POST /v1/uploads', body)).json.error.code).toBe('invalid_request')
  for await (const key of files.list?.('') ?? []) expect.unreachable(key)
})

test('a provider can read an upload by its link, also in parts, as long as the job is processing', async () => {
  const { ask, clock, inputs } = mounted({ plugins: [uploads({ baseUrl: 'https://m.test' })] })
  const { json: upload } = await ask('POST /v1/uploads', bodyOf(picture))
  const order = { model: 'fake-image', prompt: 'a kite', image: upload.url }
  const { json: job } = await ask(
    'POST /v1/generate',
    { value: order },
    { 'content-type': 'application/json' },
  )
  expect(job.input.image).toBe(upload.url)
  await vi.waitFor(() => expect(inputs).toHaveLength(1), 60_000)
  const line = `GET ${new URL(String(inputs[0]?.['image'])).pathname}`
  const noKey = { authorization: '' }
  const whole = await ask(line, undefined, noKey)
  expect(whole.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store' })
  expect(whole.bytes).toEqual(picture)
  const part = await ask(line, undefined, { ...noKey, range: 'bytes=2-4' })
  expect([part.status, part.bytes]).toEqual([206, picture.slice(2, 5)])
  const wrong = [
    line.replace('.png', '.jpg'),
    line.replace(/\w{64}/, 'a'.repeat(64)),
    line.replace(/gen_\w+/, '%00'),
  ]
  for (const other of wrong)
    expect((await ask(other, undefined, noKey)).json.error.code).toBe('file_not_found')
  await vi.waitFor(async () => {
    await clock.advance(20_000)
    expect((await ask(`GET /v1/jobs/${job.id}`)).json.status).toBe('completed')
  }, 20_000)
  expect((await ask(line, undefined, noKey)).json.error.code).toBe('file_not_found')
})
