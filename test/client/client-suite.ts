import { createClient, GenmountError, jobUrl, type ClientOptions, type Job } from '@genmount/client'
import { faultyFetch, type FetchFault } from './faulty-fetch.ts'

/** A server that runs the service of `httpSuiteService`. */
export interface ClientSubject {
  /** Its address in front of `/v1`. */
  readonly baseUrl: string
  /** The key of alice. */
  readonly key: string
}

/** These run where there is no assert of Node. @throws Error with the message, when it is not so */
function check(isSo: unknown, message: string): asserts isSo {
  if (!isSo) throw new Error(message)
}

/** @throws Error when the two are not the same JSON */
export function checkEqual(actual: unknown, expected: unknown): void {
  const [has, wants] = [JSON.stringify(actual), JSON.stringify(expected)]
  check(has === wants, `${has} should be ${wants}`)
}

/** @returns the error of the client with which the call ends. @throws Error when it ends otherwise */
export async function thrownBy(call: Promise<unknown>): Promise<GenmountError> {
  const error: unknown = await call.then(
    (value) => new Error(`It should throw, and has returned ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  )
  if (error instanceof GenmountError) return error
  throw error
}

const quick = { model: 'fake-image', prompt: 'a red kite' } as const
const endless = { ...quick, delay_ms: 600_000 } as const
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4])

/**
 * What the client promises, as named cases. They run wherever there is a fetch: no case needs Node, and what goes wrong
 * on the way goes wrong in the client's fetch.
 */
export function clientSuite({ baseUrl, key }: ClientSubject): Readonly<Record<string, () => Promise<void>>> {
  const connect = (options: Partial<ClientOptions> = {}) => createClient({ baseUrl, apiKey: key, ...options })
  /** A client whose requests fail as `faultFor` says, and the requests that it has sent. */
  const broken = (faultFor: (path: string, count: number) => FetchFault | undefined) => {
    const { fetch, requests } = faultyFetch(faultFor)
    return { client: connect({ fetch }), requests }
  }
  const mark = () => ({ mark: `${Date.now()}-${Math.random()}` })
  const jobsWith = async (metadata: Record<string, string>) => {
    const jobs: Job[] = []
    for await (const job of connect().list({ metadata })) jobs.push(job)
    return jobs
  }
  /** Resolves to the job with this metadata as soon as it is as wanted. */
  const jobWith = async (metadata: Record<string, string>, isWanted: (job: Job) => boolean) => {
    for (;;) {
      const job = (await jobsWith(metadata)).find(isWanted)
      if (job) return job
    }
  }

  async function checkOneJob(status: number): Promise<void> {
    const { client, requests } = broken((path, count) =>
      path.startsWith('/generate') && count === 0 ? status : undefined,
    )
    const metadata = mark()
    const job = await client.generate({ ...quick, metadata })
    checkEqual(job.status, 'completed')
    const ids = (await jobsWith(metadata)).map(({ id }) => id)
    checkEqual(ids, [job.id])
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    checkEqual(keys.length, 2)
    check(keys[0] !== null && keys[0] === keys[1], 'the retry has another idempotency key')
  }

  return {
    'generate returns the finished job with one request': async () => {
      const { client, requests } = broken(() => undefined)
      const job = await client.generate({ ...quick, metadata: { for: 'a test' } })
      checkEqual([job.status, job.data.length, job.metadata?.['for']], ['completed', 1, 'a test'])
      checkEqual(
        requests.map(({ path }) => path),
        ['/generate?wait=true'],
      )
    },

    'generate follows the events of its job when the service no longer holds the request': async () => {
      const { client, requests } = broken((path) => {
        if (path.endsWith('/events')) void connect().cancel(path.split('/')[2]!)
        return undefined
      })
      const { code, job } = await thrownBy(client.generate(endless))
      checkEqual(
        [code, ...requests.map(({ path }) => path)],
        ['canceled', '/generate?wait=true', `/jobs/${job?.id}/events`],
      )
    },

    'generate calls onJob at once and onProgress with the progress and a preview': async () => {
      const seen: Job[] = []
      const news: string[] = []
      const told = connect().generate(
        { ...endless, progress: 0.5, queue_position: 2, preview: true },
        {
          onJob: (job) => seen.push(job),
          onProgress({ progress, queuePosition, preview }) {
            news.push(`${progress} ${queuePosition} ${preview?.slice(0, 15)}`)
            if (preview) void connect().cancel(seen[0]!)
          },
        },
      )
      const { code, job } = await thrownBy(told)
      checkEqual([code, seen[0]?.status, seen.at(-1)?.status], ['canceled', 'processing', 'failed'])
      checkEqual([...new Set(seen.map(({ id }) => id))], [job?.id])
      checkEqual(news.at(-1), '0.5 2 data:image/gif;')
    },

    // `expectPromisesKept` has creates whose answers are lost.
    'a create that is answered with 503 makes one job': () => checkOneJob(503),
    'a create that is answered with 429 makes one job': () => checkOneJob(429),

    'an idempotency key of the caller makes one job of two calls': async () => {
      const idempotencyKey = `key-${Math.random()}`
      const first = await connect().create(quick, { idempotencyKey })
      checkEqual((await connect().generate(quick, { idempotencyKey })).id, first.id)
    },

    'generate throws the code, the message and the job when the job fails': async () => {
      const input = { ...quick, fail: 'content_policy', fail_message: 'No kites today.' }
      const error = await thrownBy(connect().generate(input))
      checkEqual(
        [error.code, error.message, error.status, error.job?.status],
        ['content_policy', 'No kites today.', undefined, 'failed'],
      )
      const again = await thrownBy(connect().wait(error.job!.id))
      checkEqual([again.code, again.job?.id], ['content_policy', error.job?.id])
    },

    'a refused request throws code, status, parameter and request id, and is not repeated': async () => {
      const { client, requests } = broken(() => undefined)
      const error = await thrownBy(client.create({ ...quick, num_outputs: 9 }))
      checkEqual([error.code, error.status, error.param], ['invalid_request', 400, 'num_outputs'])
      check(error.requestId?.startsWith('req_'), 'it has no request id')
      checkEqual(requests.length, 1)
      checkEqual((await thrownBy(connect({ apiKey: 'wrong' }).models())).code, 'invalid_api_key')
    },

    'an abort ends generate at once, and its job goes on': async () => {
      const controller = new AbortController()
      const metadata = mark()
      const running = thrownBy(connect().generate({ ...endless, metadata }, { signal: controller.signal }))
      const job = await jobWith(metadata, () => true)
      controller.abort('enough')
      const error = await running
      checkEqual([error.code, error.cause], ['aborted', 'enough'])
      checkEqual((await connect().get(job)).status, 'processing')
      await connect().cancel(job)
    },

    'an abort with cancelOnAbort cancels the job, also one whose create is not answered yet': async () => {
      for (const isEarly of [false, true]) {
        const controller = new AbortController()
        const metadata = mark()
        const { client } = broken((path) => {
          if (isEarly && path.startsWith('/generate')) controller.abort()
          return undefined
        })
        const { signal } = controller
        const following = { signal, cancelOnAbort: true, onJob: () => controller.abort() }
        const { code } = await thrownBy(client.generate({ ...endless, metadata }, following))
        checkEqual(code, 'aborted')
        const job = await jobWith(metadata, ({ status }) => status === 'failed')
        check(job.error?.startsWith('canceled: '), `it failed otherwise: ${job.error}`)
      }
    },

    'a call with a signal that has already aborted sends no request': async () => {
      const { client, requests } = broken(() => undefined)
      const controller = new AbortController()
      controller.abort()
      const { signal } = controller
      for (const call of [client.generate(quick, { signal }), client.models({ signal })])
        checkEqual((await thrownBy(call)).code, 'aborted')
      checkEqual(requests.length, 0)
    },

    'events that break off are resumed after the last event': async () => {
      const { client, requests } = broken((path, count) => {
        if (!path.endsWith('/events')) return undefined
        if (count === 0) return 'half-stream'
        void connect().cancel(path.split('/')[2]!)
        return undefined
      })
      const states: string[] = []
      const job = await client.create(endless)
      const { code } = await thrownBy(client.wait(job, { onJob: ({ status }) => states.push(status) }))
      checkEqual(code, 'canceled')
      checkEqual([states[0], states.at(-1)], ['processing', 'failed'])
      const events = requests.filter(({ path }) => path.endsWith('/events'))
      checkEqual(events.length, 2)
      const lastEventId = events[1]?.headers.get('last-event-id')
      check(lastEventId?.startsWith('processing-'), 'it starts from the beginning')
    },

    'wait polls a job when the service has no events': async () => {
      const { client, requests } = broken((path) => (path.endsWith('/events') ? 404 : undefined))
      const job = await client.create({ ...quick, delay_ms: 500 })
      checkEqual((await client.wait(job)).status, 'completed')
      checkEqual(requests.filter(({ path }) => path.endsWith('/events')).length, 1)
      checkEqual(requests.at(-1)?.path, `/jobs/${job.id}`)
    },

    'create, get, cancel and delete create, read, cancel and delete a job': async () => {
      const client = connect()
      const job = await client.create(endless)
      checkEqual((await client.get(job.id)).status, 'processing')
      checkEqual((await thrownBy(client.delete(job))).code, 'job_processing')
      await client.cancel(job)
      checkEqual((await thrownBy(client.wait(job))).code, 'canceled')
      await client.delete(job)
      checkEqual((await thrownBy(client.get(job))).code, 'job_not_found')
    },

    'delete succeeds when its first answer is lost, and throws for an unknown job': async () => {
      const job = await connect().generate(quick)
      const { client } = broken((_path, count) => (count === 0 ? 'cut-after' : undefined))
      await client.delete(job)
      const error = await thrownBy(broken(() => undefined).client.delete(job))
      checkEqual([error.code, error.status], ['job_not_found', 404])
    },

    'list reads all pages, and listPage reads one': async () => {
      const client = connect()
      const metadata = mark()
      for (let made = 0; made < 3; made++) await client.create({ ...quick, metadata })
      const ids: string[] = []
      for await (const { id } of client.list({ metadata, limit: 2 })) ids.push(id)
      checkEqual([ids.length, new Set(ids).size], [3, 3])
      const page = await client.listPage({ metadata, limit: 2 })
      checkEqual([page.data.map(({ id }) => id), page.has_more], [ids.slice(0, 2), true])
      const later = new Date(Date.now() + 600_000)
      checkEqual((await client.listPage({ metadata, created_after: later })).data, [])
    },

    'models lists the models, and model reads one, also by an id with a slash': async () => {
      const client = connect()
      const ids = (await client.models()).map(({ id }) => id)
      check(ids.includes('fake-image') && ids.includes('suite/any.thing'), `there are ${ids.join(', ')}`)
      const model = await client.model('suite/any.thing')
      checkEqual([model.id, model.price?.usd, model.typical_seconds], ['suite/any.thing', 0.25, 2.5])
      checkEqual((await thrownBy(client.model('no/such'))).status, 404)
    },

    'upload stores a blob, bytes or a buffer, whose link is an input of a job': async () => {
      const client = connect()
      for (const file of [new Blob([png], { type: 'image/png' }), png, png.buffer]) {
        const upload = await client.upload(file)
        checkEqual([upload.content_type, upload.bytes], ['image/png', png.length])
      }
      const upload = await client.upload(png, { type: 'image/png' })
      const job = await client.generate({ model: 'suite-anything', copy_of: upload.url })
      checkEqual([...new Uint8Array(await (await client.download(job)).arrayBuffer())], [...png])
      await client.deleteUpload(upload)
      checkEqual((await thrownBy(client.deleteUpload(upload))).code, 'file_not_found')
    },

    'takesUploads says that the service takes uploads, and jobUrl makes the output of a job that nobody polls the input of the next one':
      async () => {
        const client = connect()
        checkEqual(await client.takesUploads(), true)
        const first = await client.create({ ...quick, delay_ms: 500 })
        const job = await client.generate({ model: 'suite-anything', copy_of: jobUrl(first) })
        const [made, copy] = await Promise.all([client.download(first), client.download(job)])
        checkEqual(
          [...new Uint8Array(await copy.arrayBuffer())],
          [...new Uint8Array(await made.arrayBuffer())],
        )
      },

    'files numbers the outputs of a job, and download reads each': async () => {
      const client = connect()
      const job = await client.generate({ ...quick, num_outputs: 2 })
      const files = client.files(job)
      checkEqual(
        files.map(({ n, kind }) => `${n} ${kind}`),
        ['0 image', '1 image'],
      )
      check(files[1]?.url.endsWith(`/v1/files/${job.id}?n=1`), 'its address is not that of the service')
      for (const { n } of files) {
        const file = await client.download(job, n)
        checkEqual(file.headers.get('content-type'), 'image/png')
        check((await file.blob()).size > 50, 'the file is empty')
      }
      const error = await thrownBy(client.download(job, 2))
      check(error instanceof GenmountError && error.code === 'file_not_found', 'there is a third file')
    },
  }
}
