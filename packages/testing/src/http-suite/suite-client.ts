import assert from 'node:assert/strict'
import { openConnection, type Connection } from './connection.ts'
import { isRuntimeRefusal } from './expect-error.ts'
import { expectJob, isFinished, type WireJob } from './expect-job.ts'
import type { Reply } from './reply.ts'
import { requestBytes, type SuiteRequest } from './request.ts'

/** A running server with the service of `httpSuiteService()` mounted. */
export interface HttpSubject {
  /** Where the service is reached, mount path included, without a slash at the end. */
  readonly baseUrl: string
  readonly keys: { readonly alice: string; readonly bob: string }
  /** The `baseUrl` option of the service, where it has one. @default baseUrl */
  readonly publicUrl?: string
  /**
   * What the app around the service answers to paths that are not the service's: its body.
   * @default there is no such app, and the service answers `route_not_found`
   */
  readonly foreignBody?: string
  /**
   * The app reads and parses bodies before the service sees them, as `express.json()` does. What that parser refuses
   * or waits for is then its own matter.
   * @default false
   */
  readonly parsesBodies?: boolean
}

/** What the cases speak to the server through. Every reply is searched for keys and stack traces. */
export interface SuiteClient {
  readonly subject: HttpSubject
  /** Without a slash at the end: empty for a service at the root. */
  readonly mountPath: string
  /** The URL that the service must give for a path of its own. */
  url(path: string): string
  open(): Connection
  /** Head and body of a request, to be written by hand. */
  bytes(request: SuiteRequest): { head: Buffer; body: Buffer }
  /** One request on a connection of its own, which the service itself answers, with the headers that all its replies have. */
  send(request: SuiteRequest): Promise<Reply>
  /** Like `send`, whoever answers; `undefined` when the server closes without an answer. Never a 5xx of ours. */
  attempt(request: SuiteRequest): Promise<Reply | undefined>
  /** Requests a URL that the service gave, which must be one of its own. */
  follow(url: string, request?: Omit<SuiteRequest, 'path'>): Promise<Reply>
  /** Creates a job; 202 is checked. */
  create(body: object, request?: Partial<SuiteRequest>): Promise<WireJob>
  /** Creates a job with `wait=true`; 200 is checked. */
  createAndWait(body: object, request?: Partial<SuiteRequest>): Promise<WireJob>
  job(id: string): Promise<WireJob>
  finished(id: string): Promise<WireJob>
}

export type Cases = Readonly<Record<string, (client: SuiteClient) => Promise<void>>>

export function suiteClient(subject: HttpSubject): SuiteClient {
  const base = new URL(subject.baseUrl)
  const mountPath = base.pathname.replace(/\/$/, '')
  const target = { origin: base, mountPath, keys: subject.keys }
  const publicUrl = subject.publicUrl ?? subject.baseUrl

  function inspect(reply: Reply): void {
    const shown = reply.head + reply.body.toString('latin1')
    for (const key of Object.values(subject.keys))
      assert(!shown.includes(key), `an answer shows a key: ${shown}`)
    assert.doesNotMatch(shown, /\n\s+at .+:\d+|node_modules/, 'an answer shows a stack trace')
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
      assert(url.startsWith(`${publicUrl}/v1/`), `${url} is not below ${publicUrl}/v1/`)
      return client.send({ ...request, path: url.slice(publicUrl.length) })
    },
    async create(body, request) {
      return expectJob(await client.send({ path: '/v1/generate', body, ...request }), 202, client)
    },
    async createAndWait(body, request) {
      return expectJob(await client.send({ path: '/v1/generate?wait=true', body, ...request }), 200, client)
    },
    async job(id) {
      return expectJob(await client.send({ path: `/v1/jobs/${id}` }), 200, client)
    },
    async finished(id) {
      const giveUpAt = Date.now() + 20_000
      for (;;) {
        const job = await client.job(id)
        if (isFinished(job)) return job
        assert(Date.now() < giveUpAt, `the job is still ${job.status} after 20 s`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
  }
  return client
}

/** The headers that design says are on all replies of the service. */
function expectOurs(reply: Reply): Reply {
  assert.match(
    reply.headers.get('x-request-id') ?? '',
    /^[\x21-\x7e]{1,200}$/,
    `x-request-id in ${reply.head}`,
  )
  assert.equal(reply.headers.get('cache-control'), 'no-store', `cache-control in ${reply.head}`)
  return reply
}
