import { expect, type onTestFinished as OnTestFinished, test } from 'vitest'
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

async function storing(onTestFinished: typeof OnTestFinished, script: Script) {
  const server = await scriptedServer(script, onTestFinished)
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

test.concurrent.for(Object.entries(passing))(
  'when the S3 server %s, s3Files sends the request again, whole',
  async ([, fault], { onTestFinished }) => {
    const short = await storing(onTestFinished, failFirst('PUT picture', fault))
    await short.files.put('picture', film.subarray(0, 1000), 'image/png')
    expect(short.requests).toEqual(['PUT picture', 'PUT picture'])
    expect(short.objects.get('picture')?.body.equals(film.subarray(0, 1000))).toBe(true)

    const long = await storing(onTestFinished, failFirst('PUT film?partNumber=2', fault))
    await long.files.put('film', filmStream(), 'video/mp4')
    expect(long.requests.filter((request) => request === 'PUT film?partNumber=2')).toHaveLength(2)
    expect(long.objects.get('film')?.body.equals(film)).toBe(true)
    expect(long.uploads.size).toBe(0)
  },
)

test.concurrent("s3Files sends a request to a failing S3 server six times, and then rejects with the server's error", async ({
  expect,
  onTestFinished,
}) => {
  const { files, requests } = await storing(onTestFinished, () => refusing(500, 'InternalError'))
  const failure = files.put('picture', film.subarray(0, 10), 'image/png')
  await expect(failure).rejects.toThrow(
    'Files in bucket outputs: the server has answered 500 (InternalError).',
  )
  expect(requests).toHaveLength(6)
})

test.concurrent('when the server refuses a part of an upload, put rejects and no part is left', async ({
  expect,
  onTestFinished,
}) => {
  const { files, objects, uploads, requests } = await storing(onTestFinished, (request) =>
    request === 'PUT film?partNumber=2' ? refusing(403, 'AccessDenied') : undefined,
  )
  await expect(files.put('film', filmStream(), 'video/mp4')).rejects.toThrow('s3:PutObject')
  expect(requests.at(-1)).toBe('DELETE film?uploadId')
  expect([uploads.size, objects.size]).toEqual([0, 0])
})

test.concurrent('when the stream breaks, put aborts the upload and leaves no object and no part', async ({
  expect,
  onTestFinished,
}) => {
  const broken = new Error('socket hang up')
  const { files, objects, uploads, requests } = await storing(onTestFinished, () => undefined)
  const body = filmStream((index) => {
    if (index === 18) throw broken
  })
  await expect(files.put('film', body, 'video/mp4')).rejects.toBe(broken)
  expect(requests).toEqual(['POST film?uploads', ...partsOfFilm.slice(0, 2), 'DELETE film?uploadId'])
  expect([uploads.size, objects.size]).toEqual([0, 0])
})

test.concurrent('close aborts uploads: it cancels the stream, put rejects, and no object or part is left', async ({
  expect,
  onTestFinished,
}) => {
  const { files, objects, uploads } = await storing(onTestFinished, () => undefined)
  let canceled: unknown
  const gate = Promise.withResolvers<void>()
  let index = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (index++ < 18) return controller.enqueue(film.slice(0, mebibyte))
        gate.resolve()
        return new Promise(() => {})
      },
      cancel: (reason) => void (canceled = reason),
    },
    { highWaterMark: 0 },
  )
  const stored = files.put('film', body, 'video/mp4')
  await gate.promise
  const failure = expect(stored).rejects.toThrow('Files in bucket outputs: the store was closed.')
  await files.close?.()
  await failure
  expect(canceled).toHaveProperty('message', 'Files in bucket outputs: the store was closed.')
  expect([uploads.size, objects.size]).toEqual([0, 0])
})

test.concurrent('when the server answers the completion of an upload with an error after the status 200, s3Files completes it again', async ({
  onTestFinished,
}) => {
  const script = failFirst('POST film?uploadId', { ...(refusing(200, 'InternalError') as object) } as never)
  const { files, objects, requests } = await storing(onTestFinished, script)
  await files.put('film', filmStream(), 'video/mp4')
  expect(requests.filter((request) => request === 'POST film?uploadId')).toHaveLength(2)
  expect(objects.get('film')?.body.equals(film)).toBe(true)
})

test.concurrent('when every completion of an upload is an error after the status 200, put rejects and leaves no part', async ({
  expect,
  onTestFinished,
}) => {
  const { files, objects, uploads } = await storing(onTestFinished, (request) =>
    request === 'POST film?uploadId' ? refusing(200, 'InternalError') : undefined,
  )
  await expect(files.put('film', filmStream(), 'video/mp4')).rejects.toThrow('(InternalError)')
  expect([uploads.size, objects.size]).toEqual([0, 0])
})

test.concurrent('an upload whose completion the server has done and not answered counts as stored', async ({
  onTestFinished,
}) => {
  const { files, objects, requests } = await storing(
    onTestFinished,
    failFirst('POST film?uploadId', 'answer lost'),
  )
  await files.put('film', filmStream(), 'video/mp4')
  expect(requests.slice(-3)).toEqual(['POST film?uploadId', 'POST film?uploadId', 'HEAD film'])
  expect(objects.get('film')?.body.equals(film)).toBe(true)
})

test.concurrent('when an upload is lost, put rejects although the key has an object of an earlier put', async ({
  expect,
  onTestFinished,
}) => {
  const { files } = await storing(onTestFinished, (request) =>
    request === 'POST film?uploadId' ? refusing(404, 'NoSuchUpload') : undefined,
  )
  await files.put('film', film.subarray(0, 10), 'video/mp4')
  await expect(files.put('film', filmStream(), 'video/mp4')).rejects.toThrow('(NoSuchUpload)')
})

test.concurrent('put reads a long stream at most two parts ahead of the server', async ({
  onTestFinished,
}) => {
  let read = 0
  let sent = 0
  let most = 0
  const { files } = await storing(onTestFinished, (request) => {
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
