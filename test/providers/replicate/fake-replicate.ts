import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { CallbackRequest } from '@genmount/core'
import { fakeFile } from '@genmount/testing'
import { type CreateBody, movedOn, startedPrediction, type WirePrediction } from './fake-prediction.ts'
import { type Fault, sendJson } from './fault.ts'
import { listen } from '../../loopback.ts'

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Replicate's HTTP API on loopback, as far as predictions go. https://replicate.com/docs/reference/http */
export interface FakeReplicate {
  readonly baseUrl: string
  readonly token: string
  readonly webhookSecret: string
  readonly requests: readonly SeenRequest[]
  /** Every prediction that was taken on, in order: what its customers pay for. */
  readonly ledger: readonly string[]
  readonly predictions: Map<string, WirePrediction>
  /** What goes wrong with the requests for `acme/troubled`, by their kind. */
  readonly faults: { create?: Fault; get?: Fault; cancel?: Fault }
  /** How it lists predictions, beside what is documented. */
  readonly listing: Listing
  /** The webhook that Replicate sends at the end of the prediction. */
  webhookOf(id: string, sender?: { readonly secret: string; readonly sentAt: number }): CallbackRequest
  /** `fetch` that finds the files of replicate.delivery here. */
  readonly fetch: typeof globalThis.fetch
  close(): Promise<void>
}

export interface Listing {
  /** Goes before every answer to the list. */
  fault?: ((response: ServerResponse) => boolean) | undefined
  /** The fields of a prediction that an answer has. @default all fields */
  show?: ((prediction: WirePrediction) => unknown) | undefined
  /** Predictions to a page. @default 100, as documented */
  pageSize?: number | undefined
}

/** Versions are 64 hex digits. */
export const knownVersion = '5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa'
const knownModels = [
  'acme/painter',
  'acme/film',
  'acme/troubled',
  'black-forest-labs/flux-schnell',
  'google/nano-banana-2',
  'google/veo-3.1-fast',
]

/** @param offered further models and versions that it knows */
export async function startReplicate(
  now: () => number = Date.now,
  offered: readonly string[] = [],
): Promise<FakeReplicate> {
  const token = `r8_${randomBytes(18).toString('hex')}`
  const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`
  const requests: SeenRequest[] = []
  const ledger: string[] = []
  const predictions = new Map<string, WirePrediction>()
  const faults: FakeReplicate['faults'] = {}
  const listing: Listing = {}
  const counts = { create: 0, get: 0, cancel: 0 }

  const { origin, stop } = await listen((request, response) => void receive(request, response))
  const baseUrl = `${origin}/v1`

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request
    const body = (await buffer(request)).toString()
    if (path.startsWith('/delivery/')) return deliver(path, response)
    const seen = { method, path, headers, body }
    requests.push(seen)
    // The words of 401, 404 and 422 from memory of the real service; their shape as read by vercel/ai
    // packages/replicate/src/replicate-error.ts and replicate-javascript index.test.ts.
    if (headers.authorization !== `Bearer ${token}`)
      return sendJson(response, 401, {
        title: 'Unauthenticated',
        detail: 'You did not pass a valid authentication token',
        status: 401,
      })
    if (method === 'GET' && path === '/v1/webhooks/default/secret')
      return sendJson(response, 200, { key: webhookSecret })

    if (method === 'GET' && /^\/v1\/predictions(\?|$)/.test(path)) return list(path, response)
    if (method === 'POST' && path.endsWith('/predictions')) return create(seen, response)
    const [, id = '', action] = /^\/v1\/predictions\/(\w+)(\/cancel)?$/.exec(path) ?? []
    const found = predictions.get(id)
    if (!found || (method === 'GET') === (action !== undefined))
      return sendJson(response, 404, { detail: 'The requested resource could not be found.', status: 404 })
    const kind = action === undefined ? 'get' : 'cancel'
    exchange(kind, found.model, response, 200, () =>
      update(kind === 'get' ? movedOn(found) : canceled(found)),
    )
  }

  function create({ path, headers, body: text }: SeenRequest, response: ServerResponse): void {
    const body = JSON.parse(text) as CreateBody
    const [, named] = /^\/v1\/(?:models|deployments)\/([\w.-]+\/[\w.-]+)\/predictions$/.exec(path) ?? []
    const isOffered = body.version !== undefined && offered.includes(body.version)
    const model =
      named ?? (isOffered ? body.version : body.version === knownVersion ? 'acme/painter' : undefined)
    if (model === undefined)
      return sendJson(response, 422, {
        title: 'Invalid version or not permitted',
        detail: 'The specified version does not exist (or perhaps you don’t have permission to use it?)',
        status: 422,
      })
    if (![...knownModels, ...offered].includes(model))
      return sendJson(response, 404, { detail: 'The requested resource could not be found.', status: 404 })
    exchange('create', model, response, 201, () => {
      const started = update(startedPrediction(baseUrl, model, body, now()))
      ledger.push(started.id)
      // https://replicate.com/docs/topics/predictions/create-a-prediction#sync-mode
      return String(headers['prefer']).startsWith('wait') ? update(movedOn(movedOn(started))) : started
    })
  }

  /** https://replicate.com/docs/reference/http#predictions.list (November 2026): newest first, 100 to a page, a cursor. */
  function list(path: string, response: ServerResponse): void {
    const { fault, show = (prediction) => prediction, pageSize = 100 } = listing
    if (fault?.(response)) return
    const { searchParams: asked } = new URL(path, origin)
    const [after, before, cursor] = ['created_after', 'created_before', 'cursor'].map((name) =>
      asked.get(name),
    )
    const wanted = [...predictions.values()]
      .filter(({ created_at: at }) => (!after || at >= after) && (!before || at < before))
      .toReversed()
    const first = Number(cursor ?? 0)
    const last = first + pageSize
    // The vendor's own address, even if the request came to another address.
    const next = new URL('https://api.replicate.com/v1/predictions')
    for (const [name, value] of asked) next.searchParams.set(name, value)
    next.searchParams.set('cursor', String(last))
    sendJson(response, 200, {
      previous: null,
      next: last < wanted.length ? next.href : null,
      results: wanted.slice(first, last).map(show),
    })
  }

  function exchange(
    kind: keyof typeof counts,
    model: string,
    response: ServerResponse,
    status: number,
    carryOut: () => WirePrediction,
  ): void {
    const pass = () => sendJson(response, status, carryOut())
    const fault = model === 'acme/troubled' ? faults[kind] : undefined
    if (!fault) return pass()
    fault({ count: ++counts[kind], response, carryOut, pass })
  }

  function update(prediction: WirePrediction): WirePrediction {
    predictions.set(prediction.id, prediction)
    return prediction
  }

  return {
    baseUrl,
    token,
    webhookSecret,
    requests,
    ledger,
    predictions,
    faults,
    listing,

    webhookOf(id, { secret, sentAt } = { secret: webhookSecret, sentAt: Date.now() }) {
      const body = JSON.stringify(predictions.get(id))
      const messageId = `msg_${randomUUID()}`
      const timestamp = String(Math.floor(sentAt / 1000))
      // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
      const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
        .update(`${messageId}.${timestamp}.${body}`)
        .digest('base64')
      return {
        headers: {
          'content-type': 'application/json',
          'webhook-id': messageId,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature}`,
        },
        body: new TextEncoder().encode(body),
      }
    },

    fetch: (input, init) => {
      const url = input instanceof Request ? input.url : String(input)
      return fetch(url.replace(/^https:\/\/replicate\.delivery/, `${origin}/delivery`), init)
    },

    close: stop,
  }
}

function deliver(path: string, response: ServerResponse): void {
  const { bytes, contentType } = fakeFile(path.endsWith('.mp4') ? 'video' : 'image')
  response.writeHead(200, { 'content-type': contentType }).end(bytes)
}

/** A prediction that has ended does not change. Spelt with one l: replicate-javascript, index.d.ts. */
function canceled(prediction: WirePrediction): WirePrediction {
  if (prediction.completed_at !== null) return prediction
  return { ...prediction, status: 'canceled', completed_at: new Date().toISOString() }
}
