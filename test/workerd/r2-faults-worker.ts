import { r2Files, type R2BucketBinding, type R2Upload } from '@genmount/backend-cloudflare/r2'

interface Bucket extends R2BucketBinding {
  createMultipartUpload(...args: Parameters<R2BucketBinding['createMultipartUpload']>): Promise<Upload>
  resumeMultipartUpload(name: string, uploadId: string): R2Upload
}

interface Upload extends R2Upload {
  readonly uploadId: string
}

/** A fault of R2: of which call, at which of these calls and how many after it, and what happens. */
interface Fault {
  readonly call: string
  readonly from: number
  readonly times: number
  /** An error with this code before the call reaches R2, or the loss of the answer. */
  readonly what: number | 'answer lost'
}

const mebibyte = 1024 * 1024
const filmMebibytes = 20

/** The bucket with a fault, which writes down what is called. */
function faultyBucket(bucket: Bucket, fault: Fault | undefined) {
  const calls: string[] = []
  const uploadIds: string[] = []
  async function through<Result>(call: string, run: () => Promise<Result>): Promise<Result> {
    calls.push(call)
    const count = calls.filter((one) => one === call).length
    const fails = fault?.call === call && count >= fault.from && count < fault.from + fault.times
    if (fails && fault.what !== 'answer lost') throw new Error(`${call}: It failed. (${fault.what})`)
    const result = await run()
    if (fails) throw new Error(`${call}: We lost the connection. (10001)`)
    return result
  }
  const faulty: R2BucketBinding = {
    head: (name) => through('head', () => bucket.head(name)),
    get: (name, options) => through('get', () => bucket.get(name, options)),
    put: (name, value, options) => through('put', () => bucket.put(name, value, options)),
    delete: (name) => through('delete', () => bucket.delete(name)),
    list: (options) => through('list', () => bucket.list(options)),
    async createMultipartUpload(name, options) {
      const upload = await through('begin', () => bucket.createMultipartUpload(name, options))
      uploadIds.push(upload.uploadId)
      return {
        uploadPart: (number, value) => through('part', () => upload.uploadPart(number, value)),
        complete: (parts) => through('complete', () => upload.complete(parts)),
        abort: () => through('abort', () => upload.abort()),
      }
    },
  }
  /** How many uploads still take parts. */
  async function openUploads(): Promise<number> {
    const open = uploadIds.map((id) =>
      bucket.resumeMultipartUpload('film', id).uploadPart(1, new Uint8Array(1)),
    )
    return (await Promise.allSettled(open)).filter(({ status }) => status === 'fulfilled').length
  }
  return { faulty, calls, openUploads }
}

/** A film of 20 MiB, whose stream breaks after so many. */
function film(breaksAfter: number, onChunk: (index: number) => void): ReadableStream<Uint8Array> {
  let index = 0
  return new ReadableStream(
    {
      pull(controller) {
        if (index === breaksAfter) return controller.error(new Error('the stream broke'))
        if (index === filmMebibytes) return controller.close()
        onChunk(index)
        controller.enqueue(new Uint8Array(mebibyte).fill(++index))
      },
    },
    { highWaterMark: 0 },
  )
}

/** Whether a read gives the whole film. Every kilobyte has one byte looked at. */
async function isFilm(stream: ReadableStream<Uint8Array>): Promise<boolean> {
  let at = 0
  for await (const chunk of stream) {
    for (let index = 0; index < chunk.byteLength; index += 1024)
      if (chunk[index] !== 1 + Math.floor((at + index) / mebibyte)) return false
    at += chunk.byteLength
  }
  return at === filmMebibytes * mebibyte
}

/** Stores a film or a picture over an earlier file, with the fault that the body of the request names, and answers with what came of it. */
export default {
  async fetch(request: Request, { BUCKET }: { BUCKET: Bucket }): Promise<Response> {
    const order = (await request.json()) as { file: string; fault?: Fault; breaksAfter?: number }
    const { file, fault, breaksAfter = Infinity } = order
    await r2Files({ bucket: BUCKET }).put(file, new Uint8Array(3), 'image/png')
    const { faulty, calls, openUploads } = faultyBucket(BUCKET, fault)
    const files = r2Files({ bucket: faulty })
    let most = 0
    const onChunk = (index: number) => {
      const sent = calls.filter((call) => call === 'part').length * 8
      most = Math.max(most, index + 1 - sent)
    }
    const body = file === 'film' ? film(breaksAfter, onChunk) : new Uint8Array(1000).fill(7)
    const outcome = await files.put(file, body, 'video/mp4').then(
      () => 'stored',
      (error: unknown) => String(error),
    )
    const stored = await r2Files({ bucket: BUCKET }).open?.(file)
    return Response.json({
      outcome,
      calls,
      most,
      size: stored?.size,
      isFilm: file === 'film' && stored ? await isFilm(stored.read()) : false,
      openUploads: await openUploads(),
    })
  },
}
