import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { CallbackRequest } from '@genmount/core'
import { publishedFaultIn } from '../catalogue/published-input.ts'
import {
  fileReply,
  type VendorReply,
  type VendorRequest,
  vendorServer,
  type Where,
} from '../vendor-server.ts'
import { images, notFound, stillInProgress, video } from './fal-fixtures.ts'

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
  outcome: VendorReply
  /** What the status contains beside `COMPLETED`. */
  ending: Readonly<Record<string, unknown>>
}

export const falKey = 'b1f7c6d2-key-id:9f2e8d7c6b5a4f3e2d1c-secret'
export const falHosts = ['queue.fal.run', 'fal.run', 'rest.fal.ai', 'v3.fal.media', 'api.fal.ai']
const userId = 'github|1234567'

/** The requests of one kind, for the troubles of the fake. */
export const isFor =
  (route: FalRoute): Where =>
  (request) =>
    falRoute(request) === route

export function falRoute({ method, url: { hostname, pathname } }: VendorRequest): FalRoute {
  if (hostname === 'rest.fal.ai') return 'keys'
  if (hostname === 'v3.fal.media') return 'file'
  if (hostname === 'fal.run') return 'run'
  if (method === 'PUT' && pathname.endsWith('/cancel')) return 'cancel'
  if (method === 'GET') return pathname.endsWith('/status') ? 'status' : 'result'
  return 'submit'
}

/**
 * fal.ai on loopback: queue, direct calls, keys and files under their real names, which only `fetch` knows the way to.
 * Built from the OpenAPI file of the queue (fal.ai/docs/api-reference/inference-api/openapi/queue.json), the pages on
 * queue, webhooks and errors, and the SDKs; see fal-fixtures.ts.
 */
export async function startFal({ key = falKey } = {}) {
  const tasks = new Map<string, FalTask>()
  const ledger: FalTask[] = []
  let signer = generateKeyPairSync('ed25519')
  const publicKeys: object[] = []
  /** New webhooks are signed with a key that is published beside the old ones. */
  function rotateKey() {
    signer = generateKeyPairSync('ed25519')
    publicKeys.push({ kid: `key-${publicKeys.length + 1}`, ...signer.publicKey.export({ format: 'jwk' }) })
  }
  rotateKey()
  const server = await vendorServer(answer, { hosts: falHosts })
  const last = () => ledger.at(-1)!

  function answer(request: VendorRequest): VendorReply {
    const route = falRoute(request)
    const { authorization } = request.headers
    const { pathname, searchParams } = request.url
    if (route === 'keys') return { json: { keys: publicKeys } }
    if (route === 'file') return fileReply(pathname)
    if (authorization !== `Key ${key}`)
      return { status: 401, json: { detail: `Cannot access: invalid key credentials ${authorization}` } }
    const endpoint = pathname.slice(1)
    const fault =
      route === 'run' || route === 'submit' ? publishedFaultIn('fal', endpoint, request.json()) : undefined
    // https://docs.fal.ai/model-apis/errors: a body that its endpoint does not take.
    if (fault)
      return {
        status: 422,
        json: { detail: [{ loc: ['body', fault.field], msg: fault.message, type: 'x' }] },
      }
    if (route === 'run') return takeOn(endpoint, null, request.json()).outcome
    if (route === 'submit') {
      const task = takeOn(endpoint, searchParams.get('fal_webhook'), request.json())
      return { json: { status: 'IN_QUEUE', ...urlsOf(task), queue_position: 0 } }
    }
    const task = tasks.get(/\/requests\/([^/]+)/.exec(pathname)?.[1] ?? '')
    if (!task) return notFound
    if (route === 'status') return statusOf(task)
    if (route === 'cancel') return cancel(task)
    return task.pollsLeft-- > 0 ? stillInProgress : task.outcome
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

  /** The webhook for a task, https://docs.fal.ai/model-apis/model-endpoints/webhooks */
  function webhookOf({ requestId, outcome }: FalTask, sentAt = Date.now()): CallbackRequest {
    const { status = 200, json } = outcome
    const isOk = status < 400
    const body = Buffer.from(
      JSON.stringify({
        request_id: requestId,
        gateway_request_id: requestId,
        status: isOk ? 'OK' : 'ERROR',
        ...(!isOk && { error: `Invalid status code: ${status}` }),
        payload: json,
      }),
    )
    const timestamp = String(Math.floor(sentAt / 1000))
    const digest = createHash('sha256').update(body).digest('hex')
    const message = Buffer.from([requestId, userId, timestamp, digest].join('\n'))
    return {
      headers: {
        'content-type': 'application/json',
        'x-fal-webhook-request-id': requestId,
        'x-fal-webhook-user-id': userId,
        'x-fal-webhook-timestamp': timestamp,
        'x-fal-webhook-signature': sign(null, message, signer.privateKey).toString('hex'),
      },
      body,
    }
  }

  const fake = {
    ...server,
    ledger,
    /** Changes the outcome of tasks that are submitted from now on. */
    taskDefaults: {} as Partial<Pick<FalTask, 'pollsLeft' | 'outcome' | 'ending'>>,
    routesAsked: () => server.requests.map(falRoute),
    /** As when the results are older than an hour. */
    forget: () => tasks.clear(),

    rotateKey,
    webhookOf,
    webhook: {
      finish: () => void (last().pollsLeft = 0),
      address: () => last().webhook,
      signed: (sentAt: number) => webhookOf(last(), sentAt),
    },
  }
  return fake
}

export type FalFake = Awaited<ReturnType<typeof startFal>>

function urlsOf({ requestId, endpoint }: FalTask) {
  const request = `https://queue.fal.run/${endpoint.split('/').slice(0, 2).join('/')}/requests/${requestId}`
  return {
    request_id: requestId,
    response_url: request,
    status_url: `${request}/status`,
    cancel_url: `${request}/cancel`,
  }
}

function statusOf(task: FalTask): VendorReply {
  const { ending, pollsLeft } = task
  const metrics = { inference_time: 1.5 }
  task.pollsLeft--
  if (pollsLeft <= 0)
    return { json: { status: 'COMPLETED', ...urlsOf(task), logs: null, metrics, ...ending } }
  const state =
    pollsLeft > 1
      ? { status: 'IN_QUEUE', queue_position: pollsLeft - 1 }
      : { status: 'IN_PROGRESS', logs: null }
  return { status: 202, json: { ...urlsOf(task), ...state } }
}

function cancel(task: FalTask): VendorReply {
  if (task.pollsLeft <= 0) return { status: 400, json: { status: 'ALREADY_COMPLETED' } }
  const detail = 'Request was cancelled by the client.'
  const error_type = 'client_cancelled'
  task.pollsLeft = 0
  task.ending = { error: detail, error_type }
  task.outcome = { status: 499, json: { detail, error_type } }
  return { status: 202, json: { status: 'CANCELLATION_REQUESTED' } }
}
