import assert from 'node:assert/strict'
import { openConnection, type Connection } from './connection.ts'
import { isRuntimeRefusal } from './expect-error.ts'
import { expectJob, isFinished, type WireJob } from './expect-job.ts'
import type { Reply } from './reply.ts'
import { requestBytes, type SuiteRequest } from './request.ts'

/** A running server that has mounted the service of `httpSuiteService()`. */
export interface HttpSubject {
  /** The URL of the service with its mount path, without a slash at its end. */
  readonly baseUrl: string
  /** The keys of `httpSuiteService()`. */
  readonly keys: {
    /** The key of the owner `alice`. */
    readonly alice: string
    /** The key of the owner `bob`. */
    readonly bob: string
    /** The key of the owner `carol`, who may send few requests. Only `httpExtensionSuite` needs it. */
    readonly carol?: string
  }
  /** The value of the option `baseUrl`, if the service was mounted with it. @default the `baseUrl` above */
  readonly publicUrl?: string
  /**
   * The origin of the file store's links, such as `https://bucket.example`. The cases about `/v1/outputs` are then left
   * out.
   * @default the store has no `link`, and the service serves its files
   */
  readonly linksTo?: string
  /**
   * The body with which the app around the service answers requests for paths that do not belong to the
   * service.
   * @default there is no such app, and the service answers `route_not_found`
   */
  readonly foreignBody?: string
  /**
   * Whether the app reads and parses bodies before the service sees them, as `express.json()` does. Then the
   * cases do not check which bodies this parser refuses and how long it waits for them. @default false
   */
  readonly parsesBodies?: boolean
}

/**
 * The client that the cases use. It searches every reply for keys and stack traces, and fails if it finds
 * one.
 */
export interface SuiteClient {
  readonly subject: HttpSubject
  /** The mount path without a slash at its end. Empty for a service at the root. */
  readonly mountPath: string
  /** The URL that the service must show for a path of its own. */
  url(path: string): string
  open(): Connection
  /** The bytes of a request, for a case that writes them to a connection itself. */
  bytes(request: SuiteRequest): { head: Buffer; body: Buffer }
  /**
   * Sends one request on a new connection. Fails if the reply lacks the headers that all replies of the service have.
   */
  send(request: SuiteRequest): Promise<Reply>
  /**
   * Sends one request on a new connection. The reply may come from the service, the app around it or the
   * runtime; it is `undefined` when the server closes the connection without one. Fails for a 5xx.
   */
  attempt(request: SuiteRequest): Promise<Reply | undefined>
  /** Requests a URL that the service has returned. Fails if the URL is neither the service's nor below `linksTo`. */
  follow(url: string, request?: Omit<SuiteRequest, 'path'>): Promise<Reply>
  /** Creates a job. Fails if the status is not 202. */
  create(body: object, request?: Partial<SuiteRequest>): Promise<WireJob>
  /** Creates a job with `wait=true`, and reads it until it is finished if that takes longer than a request may wait. */
  createAndWait(body: object, request?: Partial<SuiteRequest>): Promise<WireJob>
  job(id: string, request?: Pick<SuiteRequest, 'as'>): Promise<WireJob>
  /** Reads a job until it is finished. Fails after a minute. */
  finished(id: string, request?: Pick<SuiteRequest, 'as'>): Promise<WireJob>
}

export type Cases = Readonly<Record<string, (client: SuiteClient) => Promise<void>>>

/** The cases of all groups by their names, ready to run against the server. */
export function casesFor(
  subject: HttpSubject,
  groups: readonly Cases[],
): Readonly<Record<string, () => Promise<void>>> {
  const client = suiteClient(subject)
  const cases: Record<string, () => Promise<void>> = {}
  for (const group of groups)
    for (const [promise, run] of Object.entries(group)) cases[promise] = () => run(client)
  return cases
}

export function suiteClient(subject: HttpSubject): SuiteClient {
  const base = new URL(subject.baseUrl)
  const mountPath = base.pathname.replace(/\/$/, '')
  const target = { origin: base, mountPath, keys: subject.keys }
  const publicUrl = subject.publicUrl ?? subject.baseUrl

  function inspect(reply: Reply): void {
    const text = reply.head + reply.body.toString('latin1')
    for (const key of Object.values(subject.keys))
      assert(!text.includes(key), `an answer shows a key: ${text}`)
    assert.doesNotMatch(text, /\n\s+at .+:\d+|node_modules/, 'an answer shows a stack trace')
  }

  async function exchange(request: SuiteRequest): Promise<Reply | undefined> {
    const connection = client.open()
    try {
      const { head, body } = requestBytes(target, request)
      connection.write(Buffer.concat([head, body]))
      return await connection.next({ head: request.method === 'HEAD' })
    } finally {
      connection.destroy()
    }
  }

  const client: SuiteClient = {
    subject,
    mountPath,
    url: (path) => publicUrl + path,
    open: () => openConnection(base, inspect),
    bytes: (request) => requestBytes(target, request),
    async send(request) {
      const reply = await exchange(request)
      assert(reply, `${request.method ?? ''} ${request.path} was not answered`)
      return expectOurs(reply)
    },
    async attempt(request) {
      const reply = await exchange(request)
      assert(isRuntimeRefusal(reply) || (reply && reply.status < 500), `${request.path}: ${reply?.head}`)
      return reply
    },
    follow(url, request) {
      if (subject.linksTo !== undefined && url.startsWith(`${subject.linksTo}/`)) return download(url)
      assert(url.startsWith(`${publicUrl}/v1/`), `${url} is not below ${publicUrl}/v1/`)
      return client.send({ ...request, path: url.slice(publicUrl.length) })
    },
    async create(body, request) {
      return expectJob(await client.send({ path: '/v1/generate', body, ...request }), 202, client)
    },
    async createAndWait(body, request) {
      const reply = await client.send({ path: '/v1/generate?wait=true', body, ...request })
      if (reply.status === 202) return client.finished(expectJob(reply, 202, client).id, request)
      return expectJob(reply, 200, client)
    },
    async job(id, request) {
      return expectJob(await client.send({ path: `/v1/jobs/${id}`, as: request?.as ?? 'alice' }), 200, client)
    },
    async finished(id, request) {
      const giveUpAt = Date.now() + 60_000
      for (;;) {
        const job = await client.job(id, request)
        if (isFinished(job)) return job
        assert(Date.now() < giveUpAt, `the job is still ${job.status} after a minute`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
  }
  return client
}

/** Reads a file from the file store's own server. */
async function download(url: string): Promise<Reply> {
  const response = await fetch(url)
  const body = Buffer.from(await response.arrayBuffer())
  const headers = new Map(response.headers)
  return { status: response.status, head: '', headers, body, text: body.toString('utf8') }
}

/** Fails if the reply lacks a header that all replies of the service have. */
function expectOurs(reply: Reply): Reply {
  assert.match(
    reply.headers.get('x-request-id') ?? '',
    /^[\x21-\x7e]{1,200}$/,
    `x-request-id in ${reply.head}`,
  )
  // Only the bytes of outputs may be kept by a browser.
  const isOutput = reply.headers.has('content-disposition') || reply.status === 304
  if (!isOutput)
    assert.match(
      reply.headers.get('cache-control') ?? '',
      /^no-store(, no-transform)?$/,
      `cache-control in ${reply.head}`,
    )
  return reply
}
