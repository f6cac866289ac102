import { generateKeyPairSync, randomUUID, sign, createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { CallbackRequest } from '@genmount/core'
import { fakeFile } from '@genmount/testing'
import { images, notFound, stillInProgress, video, type FalReply } from './fal-fixtures.ts'

/** The kinds of requests to fal. */
export type FalRoute = 'submit' | 'run' | 'status' | 'result' | 'cancel' | 'keys' | 'file'

/** A task that fal has accepted. It costs money. */
export interface FalTask {
  readonly requestId: string
  /** With its path. */
  readonly endpoint: string
  readonly input: Readonly<Record<string, unknown>>
  readonly webhook: string | undefined
  /** How many polls find the task unfinished. */
  pollsLeft: number
  outcome: FalReply
  /** What the status contains beside `COMPLETED`. */
  ending: Readonly<Record<string, unknown>>
}

export interface FalRequest {
  readonly route: FalRoute
  readonly method: string
  /** As fal would see it. */
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
}

/** Answers instead of fal; `act` executes the request as fal would, and returns fal's answer. */
export type Interception = (response: ServerResponse, act: () => FalReply, request: FalRequest) => void

export const falKey = 'b1f7c6d2-key-id:9f2e8d7c6b5a4f3e2d1c-secret'
const userId = 'github|1234567'

/**
 * fal.ai on loopback: queue, direct calls, keys and files under their real names, which only `fetch` knows the way to.
 * Built from the OpenAPI file of the queue (fal.ai/docs/api-reference/inference-api/openapi/queue.json), the pages on
 * queue, webhooks and errors, and the SDKs; see fal-fixtures.ts.
 */
export async function startFal({ key = falKey } = {}) {
  const tasks = new Map<string, FalTask>()
  const ledger: FalTask[] = []
  const underWay = new Set<Promise<void>>()
  const requests: FalRequest[] = []
  const intercept: Partial<Record<FalRoute, Interception>> = {}
  let signer = generateKeyPairSync('ed25519')
  const publicKeys = [{ kid: 'key-1', ...signer.publicKey.export({ format: 'jwk' }) }]

  const fake = {
    ledger,
    requests,
    intercept,
    publicKeys,
    /** Changes the outcome of tasks that are submitted from now on. */
    taskDefaults: {} as Partial<Pick<FalTask, 'pollsLeft' | 'outcome' | 'ending'>>,
    routesAsked: () => requests.map(({ route }) => route),
    /** As when its result is older than an hour. */
    forget: (requestId: string) => tasks.delete(requestId),

    /** fal-ai's key rotation: new webhooks are signed with a key that is published beside the old one. */
    rotateKey() {
      signer = generateKeyPairSync('ed25519')
      publicKeys.push({ kid: `key-${publicKeys.length + 1}`, ...signer.publicKey.export({ format: 'jwk' }) })
    },

    /** The webhook for a task, https://docs.fal.ai/model-apis/model-endpoints/webhooks */
    webhookOf({ requestId, outcome }: FalTask, at = Date.now()): CallbackRequest {
      const isOk = outcome.status < 400
      const body = JSON.stringify({
        request_id: requestId,
        gateway_request_id: requestId,
        status: isOk ? 'OK' : 'ERROR',
        ...(!isOk && { error: `Invalid status code: ${outcome.status}` }),
        payload: outcome.json,
      })
      return signed(requestId, Buffer.from(body), at)
    },

    /** Reaches fal's names, and nothing else. */
    fetch: ((...request) => fake.fetchAt(fake.origin())(...request)) as typeof fetch,

    /** The address at which this fake listens. */
    origin: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,

    /** Reaches fal's names through the server at `origin`, such as a proxy in front of this fake. */
    fetchAt: (origin: string): typeof fetch => {
      return async (input, init = {}) => {
        const url = new URL(input instanceof Request ? input.url : input)
        if (!hosts.has(url.hostname)) throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } })
        const headers = new Headers(init.headers)
        headers.set('x-asked-host', url.host)
        const answer = fetch(`${origin}${url.pathname}${url.search}`, { ...init, headers })
        const settled = answer.catch(() => {}).then(() => void underWay.delete(settled))
        underWay.add(settled)
        return answer
      }
    },

    /**
     * Resolves when all requests are answered, or after 20 ms, so that it does not wait for a request that is made to
     * hang.
     */
    async quiet(): Promise<void> {
      await Promise.race([Promise.all(underWay), delay(20)])
      // The rest of a body.
      await delay(1)
    },

    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }

  const hosts = new Set(['queue.fal.run', 'fal.run', 'rest.fal.ai', 'v3.fal.media'])

  function signed(requestId: string, body: Buffer, at: number): CallbackRequest {
    const timestamp = String(Math.floor(at / 1000))
    const digest = createHash('sha256').update(body).digest('hex')
    const message = [requestId, userId, timestamp, digest].join('\n')
    return {
      headers: {
        'content-type': 'application/json',
        'x-fal-webhook-request-id': requestId,
        'x-fal-webhook-user-id': userId,
        'x-fal-webhook-timestamp': timestamp,
        'x-fal-webhook-signature': sign(null, Buffer.from(message), signer.privateKey).toString('hex'),
      },
      body,
    }
  }

  function takeOn(endpoint: string, webhook: string | null, input: FalTask['input']): FalTask {
    const task: FalTask = {
      requestId: randomUUID(),
      endpoint,
      input,
      webhook: webhook ?? undefined,
      pollsLeft: 1,
      outcome: /video|veo/.test(endpoint) ? video() : images(Number(input['num_images'] ?? 1)),
      ending: {},
      ...fake.taskDefaults,
    }
    tasks.set(task.requestId, task)
    ledger.push(task)
    return task
  }

  const urlsOf = ({ requestId, endpoint }: FalTask) => {
    const request = `https://queue.fal.run/${endpoint.split('/').slice(0, 2).join('/')}/requests/${requestId}`
    return {
      request_id: requestId,
      response_url: request,
      status_url: `${request}/status`,
      cancel_url: `${request}/cancel`,
    }
  }

  function statusOf(task: FalTask): FalReply {
    const isOver = task.pollsLeft <= 0
    const isQueued = task.pollsLeft-- > 1
    if (isOver)
      return {
        status: 200,
        json: {
          status: 'COMPLETED',
          ...urlsOf(task),
          logs: null,
          metrics: { inference_time: 1.5 },
          ...task.ending,
        },
      }
    return {
      status: 202,
      json: isQueued
        ? { status: 'IN_QUEUE', ...urlsOf(task), queue_position: task.pollsLeft }
        : { status: 'IN_PROGRESS', ...urlsOf(task), logs: null },
    }
  }

  function cancel(task: FalTask): FalReply {
    if (task.pollsLeft <= 0) return { status: 400, json: { status: 'ALREADY_COMPLETED' } }
    task.pollsLeft = 0
    task.ending = { error: 'Request was cancelled by the client.', error_type: 'client_cancelled' }
    task.outcome = {
      status: 499,
      json: { detail: 'Request was cancelled by the client.', error_type: 'client_cancelled' },
    }
    return { status: 202, json: { status: 'CANCELLATION_REQUESTED' } }
  }

  function actionOf({ route, url }: FalRequest, body: string): () => FalReply {
    const { pathname, searchParams } = new URL(url)
    const endpoint = pathname.slice(1)
    const task = tasks.get(/\/requests\/([^/]+)/.exec(pathname)?.[1] ?? '')
    switch (route) {
      case 'keys':
        return () => ({ status: 200, json: { keys: publicKeys } })
      case 'submit':
        return () => ({
          status: 200,
          json: {
            status: 'IN_QUEUE',
            ...urlsOf(
              takeOn(endpoint, searchParams.get('fal_webhook'), JSON.parse(body) as FalTask['input']),
            ),
            queue_position: 0,
          },
        })
      case 'run':
        return () => takeOn(endpoint, null, JSON.parse(body) as FalTask['input']).outcome
      case 'status':
        return () => (task ? statusOf(task) : notFound)
      case 'result':
        return () => (task ? (task.pollsLeft > 0 ? stillInProgress : task.outcome) : notFound)
      case 'cancel':
        return () => (task ? cancel(task) : notFound)
      case 'file':
        return () => ({ status: 500, json: null })
    }
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { 'x-asked-host': host, ...headers } = incoming.headers
    const request = {
      route: routeOf(String(host), incoming),
      method: incoming.method ?? '',
      url: `https://${String(host)}${incoming.url}`,
      headers,
    }
    requests.push(request)
    let body = ''
    for await (const chunk of incoming) body += String(chunk)
    if (request.route === 'file') {
      const kind = request.url.endsWith('.mp4') ? 'video' : 'image'
      response.end(fakeFile(kind).bytes)
      return
    }
    const isPublic = request.route === 'keys'
    const act =
      isPublic || headers.authorization === `Key ${key}`
        ? actionOf(request, body)
        : () => ({
            status: 401,
            json: { detail: `Cannot access: invalid key credentials ${headers.authorization}` },
          })
    const interception = intercept[request.route]
    if (interception) interception(response, act, request)
    else send(response, act())
  }

  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return fake
}

export type FalFake = Awaited<ReturnType<typeof startFal>>

export function send(response: ServerResponse, { status, headers = {}, json }: FalReply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof json === 'string' ? json : JSON.stringify(json))
}

function routeOf(host: string, { method, url = '' }: IncomingMessage): FalRoute {
  if (host === 'rest.fal.ai') return 'keys'
  if (host === 'v3.fal.media') return 'file'
  if (host === 'fal.run') return 'run'
  const { pathname } = new URL(url, 'https://queue.fal.run')
  if (method === 'PUT' && pathname.endsWith('/cancel')) return 'cancel'
  if (method === 'GET') return pathname.endsWith('/status') ? 'status' : 'result'
  return 'submit'
}
