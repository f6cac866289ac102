import { expect, test } from 'vitest'
import { s3Files } from '@genmount/files-s3'
import { refusing, type Script, scriptedServer } from './servers/scripted-server.ts'

const mebibyte = 1024 * 1024
/** A film of three parts. */
const film = new Uint8Array(20 * mebibyte).map((_, index) => index % 251)
const partsOfFilm = [1, 2, 3].map((number) => `PUT film?partNumber=${number}`)

/** A stream of a film, of which `onChunk` is told before each chunk. */
function filmStream(onChunk: (index: number) => void = () => {}): ReadableStream<Uint8Array> {
  let index = 0
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = film.slice(index * mebibyte, (index + 1) * mebibyte)
        if (chunk.byteLength === 0) return controller.close()
        onChunk(index++)
        controller.enqueue(chunk)
      },
    },
    { highWaterMark: 0 },
  )
}

async function storing(script: Script) {
  const server = await scriptedServer(script)
  return { ...server, files: s3Files(server.options) }
}

const failFirst =
  (request: string, fault: ReturnType<Script>): Script =>
  (asked, count) =>
    asked === request && count === 1 ? fault : undefined

const passing = {
  'asks for fewer requests': refusing(503, 'SlowDown'),
  'has an internal error': refusing(500, 'InternalError'),
  'breaks the connection': 'reset',
  'loses its answer': 'answer lost',
} as const

test.each(Object.entries(passing))(
  'when the server %s, the request is sent again, whole',
  async (_, fault) => {
    const short = await storing(failFirst('PUT picture', fault))
    await short.files.put('picture', film.subarray(0, 1000), 'image/png')
    expect(short.requests).toEqual(['PUT picture', 'PUT picture'])
    expect(short.objects.get('picture')?.body.equals(film.subarray(0, 1000))).toBe(true)

    const long = await storing(failFirst('PUT film?partNumber=2', fault))
    await long.files.put('film', filmStream(), 'video/mp4')
    expect(long.requests.filter((request) => request === 'PUT film?partNumber=2')).toHaveLength(2)
    expect(long.objects.get('film')?.body.equals(film)).toBe(true)
    expect(long.uploads.size).toBe(0)
  },
)

test('a server that fails for ever is asked six times, and its error is told', async () => {
  const { files, requests } = await storing(() => refusing(500, 'InternalError'))
  const failure = files.put('picture', film.subarray(0, 10), 'image/png')
  await expect(failure).rejects.toThrow(
    'Files in bucket outputs: the server has answered 500 (InternalError).',
  )
  expect(requests).toHaveLength(6)
})

test('a part that is refused for ever ends the upload, and no part is left', async () => {
  const { files, objects, uploads, requests } = await storing((request) =>
    request === 'PUT film?partNumber=2' ? refusing(403, 'AccessDenied') : undefined,
  )
  await expect(files.put('film', filmStream(), 'video/mp4')).rejects.toThrow('s3:PutObject')
  expect(requests.at(-1)).toBe('DELETE film?uploadId')
  expect([uploads.size, objects.size]).toEqual([0, 0])
})

test('a stream that breaks ends the upload: no object, no part', async () => {
  const broken = new Error('socket hang up')
  const { files, objects, uploads, requests } = await storing(() => undefined)
  const body = filmStream((index) => {
    if (index === 18) throw broken
  })
  await expect(files.put('film', body, 'video/mp4')).rejects.toBe(broken)
  expect(requests).toEqual(['POST film?uploads', ...partsOfFilm.slice(0, 2), 'DELETE film?uploadId'])
  expect([uploads.size, objects.size]).toEqual([0, 0])
})

test('a store that closes ends its uploads: the stream is cancelled, and neither object nor part is left', async () => {
  const { files, objects, uploads } = await storing(() => undefined)
  let cancelled: unknown
  const gate = Promise.withResolvers<void>()
  let index = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (index++ < 18) return controller.enqueue(film.slice(0, mebibyte))
        gate.resolve()
        return new Promise(() => {})
      },
      cancel: (reason) => void (cancelled = reason),
    },
    { highWaterMark: 0 },
  )
  const stored = files.put('film', body, 'video/mp4')
  await gate.promise
  const failure = expect(stored).rejects.toThrow('Files in bucket outputs: the store was closed.')
  await files.close?.()
  await failure
  expect(cancelled).toHaveProperty('message', 'Files in bucket outputs: the store was closed.')
  expect([uploads.size, objects.size]).toEqual([0, 0])
})

test('an upload that the server refuses to complete after the status 200 is tried again', async () => {
  const script = failFirst('POST film?uploadId', { ...(refusing(200, 'InternalError') as object) } as never)
  const { files, objects, requests } = await storing(script)
  await files.put('film', filmStream(), 'video/mp4')
  expect(requests.filter((request) => request === 'POST film?uploadId')).toHaveLength(2)
  expect(objects.get('film')?.body.equals(film)).toBe(true)
})

test('an upload that is never completed, with the status 200, is an error and leaves no part', async () => {
  const { files, objects, uploads } = await storing((request) =>
    request === 'POST film?uploadId' ? refusing(200, 'InternalError') : undefined,
  )
  await expect(files.put('film', filmStream(), 'video/mp4')).rejects.toThrow('(InternalError)')
  expect([uploads.size, objects.size]).toEqual([0, 0])
})

test('an upload whose completion was done but not answered counts as stored', async () => {
  const { files, objects, requests } = await storing(failFirst('POST film?uploadId', 'answer lost'))
  await files.put('film', filmStream(), 'video/mp4')
  expect(requests.slice(-3)).toEqual(['POST film?uploadId', 'POST film?uploadId', 'HEAD film'])
  expect(objects.get('film')?.body.equals(film)).toBe(true)
})

test('the object of an earlier put is not taken for that of an upload that was lost', async () => {
  const { files } = await storing((request) =>
    request === 'POST film?uploadId' ? refusing(404, 'NoSuchUpload') : undefined,
  )
  await files.put('film', film.subarray(0, 10), 'video/mp4')
  await expect(files.put('film', filmStream(), 'video/mp4')).rejects.toThrow('(NoSuchUpload)')
})

test('of a long stream no more than two parts are read ahead of the server', async () => {
  let read = 0
  let sent = 0
  let most = 0
  const { files } = await storing((request) => {
    if (request.includes('partNumber')) sent += 8
    return undefined
  })
  // A part counts as sent when the server begins to receive it, so the part under way is added.
  await files.put(
    'film',
    filmStream(() => (most = Math.max(most, ++read - sent))),
    'video/mp4',
  )
  expect(read).toBe(20)
  expect(most).toBeLessThanOrEqual(17)
})
