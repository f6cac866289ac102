import { publishedFaultIn } from '../catalogue/published-input.ts'
import { signedWebhook } from '../signed-webhook.ts'
import { fileReply, isOneOf, type VendorReply, type VendorRequest, vendorServer } from '../vendor-server.ts'
import {
  canceled,
  type CreateBody,
  movedOn,
  startedPrediction,
  type WirePrediction,
} from './fake-prediction.ts'

export const token = 'r8_0f3a9c7e51d2b8460f3a9c7e51d2b8460f3a'
export const webhookSecret = `whsec_${btoa('a key that both sides know')}`
export const replicateHosts = ['replicate.delivery']

export type FakeReplicate = Awaited<ReturnType<typeof startReplicate>>

export interface Listing {
  /** The fields of a prediction that an answer has. @default all fields */
  show?: ((prediction: WirePrediction) => unknown) | undefined
  /** Predictions to a page. @default 100, as documented */
  pageSize?: number | undefined
}

/** Versions are 64 hex digits. */
export const knownVersion = '5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa'
const knownModels =
  'acme/painter acme/film acme/troubled black-forest-labs/flux-schnell google/nano-banana-2 google/nano-banana-pro google/veo-3.1-fast'

// The words of 401, 404 and 422 from memory of the real service; their shape as read by vercel/ai
// packages/replicate/src/replicate-error.ts and replicate-javascript index.test.ts.
const refusal = (status: number, detail: string, title?: string): VendorReply => ({
  status,
  json: { ...(title && { title }), detail, status },
})
const notFound = refusal(404, 'The requested resource could not be found.')
const wrongKey = refusal(401, 'You did not pass a valid authentication token', 'Unauthenticated')
const wrongVersion = refusal(
  422,
  'The specified version does not exist (or perhaps you don’t have permission to use it?)',
  'Invalid version or not permitted',
)

/**
 * Replicate's HTTP API on loopback, as far as predictions go. https://replicate.com/docs/reference/http
 * @param offered further models and versions that it knows
 * @param isSlow whether a prediction takes longer than Replicate holds a request that says `Prefer: wait`
 */
export async function startReplicate({
  now = Date.now,
  offered = [] as readonly string[],
  isSlow = false,
} = {}) {
  /** Every prediction that was taken on, in order: what its customers pay for. */
  const ledger: string[] = []
  const predictions = new Map<string, WirePrediction>()
  /** How it lists predictions, beside what is documented. */
  const listing: Listing = {}
  const server = await vendorServer(answer, { hosts: replicateHosts })
  const baseUrl = `${server.origin}/v1`
  const last = () => predictions.get(ledger.at(-1) ?? '')!

  function answer(request: VendorRequest): VendorReply {
    const { method, url, headers } = request
    const path = url.pathname
    if (replicateHosts.includes(url.hostname)) return fileReply(path)
    if (headers['authorization'] !== `Bearer ${token}`) return wrongKey
    if (method === 'GET' && path === '/v1/webhooks/default/secret') return { json: { key: webhookSecret } }
    if (method === 'GET' && path === '/v1/predictions') return list(url)
    if (method === 'POST' && path.endsWith('/predictions')) return create(request)
    const [, id = '', action] = /^\/v1\/predictions\/(\w+)(\/cancel)?$/.exec(path) ?? []
    const found = predictions.get(id)
    if (!found || (method === 'GET') === (action !== undefined)) return notFound
    return { json: update(action === undefined ? movedOn(found) : canceled(found)) }
  }

  function create({ url, headers, json }: VendorRequest): VendorReply {
    const body = json<CreateBody>()
    const [, named] =
      /^\/v1\/(?:models|deployments)\/([\w.-]+\/[\w.-]+)\/predictions$/.exec(url.pathname) ?? []
    const isOffered = body.version !== undefined && offered.includes(body.version)
    const model =
      named ?? (isOffered ? body.version : body.version === knownVersion ? 'acme/painter' : undefined)
    if (model === undefined) return wrongVersion
    if (!offered.includes(model) && !isOneOf(knownModels, model)) return notFound
    const fault = publishedFaultIn('replicate', model, body.input)
    if (fault) return refusal(422, `- input.${fault.field}: ${fault.message}`, 'Input validation failed')
    const started = update(startedPrediction(`http://${headers['host']}/v1`, model, body, now()))
    ledger.push(started.id)
    // https://replicate.com/docs/topics/predictions/create-a-prediction#sync-mode
    if (!String(headers['prefer']).startsWith('wait')) return { status: 201, json: started }
    const waited = movedOn(started)
    return { status: 201, json: update(isSlow ? waited : movedOn(waited)) }
  }

  /** https://replicate.com/docs/reference/http#predictions.list (November 2026): newest first, 100 to a page, a cursor. */
  function list({ searchParams: asked }: URL): VendorReply {
    const { show = (prediction) => prediction, pageSize = 100 } = listing
    const [after, before, cursor] = ['created_after', 'created_before', 'cursor'].map((name) =>
      asked.get(name),
    )
    const wanted = [...predictions.values()]
      .filter(({ created_at: at }) => (!after || at >= after) && (!before || at < before))
      .toReversed()
    const first = Number(cursor ?? 0)
    const end = first + pageSize
    // The vendor's own address, even if the request came to another address.
    const next = new URL('https://api.replicate.com/v1/predictions')
    for (const [name, value] of asked) next.searchParams.set(name, value)
    next.searchParams.set('cursor', String(end))
    const results = wanted.slice(first, end).map(show)
    const json = { previous: null, next: end < wanted.length ? next.href : null, results }
    return { json, headers: { date: new Date(now()).toUTCString() } }
  }

  function update(prediction: WirePrediction): WirePrediction {
    predictions.set(prediction.id, prediction)
    return prediction
  }

  const webhookOf = (id: string, sentAt = Date.now()) =>
    signedWebhook(webhookSecret, predictions.get(id), sentAt)

  return {
    ...server,
    baseUrl,
    token,
    webhookSecret,
    ledger,
    predictions,
    listing,
    webhookOf,
    webhook: {
      finish: () => void update(movedOn(movedOn(last()))),
      address: () => last().webhook,
      signed: (sentAt: number) => webhookOf(last().id, sentAt),
    },
    forget: () => predictions.clear(),
  }
}
