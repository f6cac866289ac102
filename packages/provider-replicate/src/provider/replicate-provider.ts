import type { Json, JsonObject, Provider, ProviderReport } from '@genmount/core'
import { pollFailure, standardWebhook, submitFailure, vendorClient } from '@genmount/vendor-http'
import { inputNames } from './input-schema.ts'
import { type OfferedModel, offeredModel, type ReplicateModel } from './model-options.ts'
import { isPredictionId, predictionIn, reportOf } from './prediction.ts'

export interface ReplicateProviderOptions {
  /** An API token of Replicate. */
  readonly token: string
  /** The models on offer by their public ids. */
  readonly models: Readonly<Record<string, ReplicateModel>>
  /**
   * The account's webhook signing secret (`GET /webhooks/default/secret`), which begins with `whsec_`. With it each
   * prediction registers the job's callback URL where the service has an https one. @default there are no callbacks
   */
  readonly webhookSecret?: string | undefined
  /** @default 'https://api.replicate.com/v1' */
  readonly baseUrl?: string | undefined
  /** @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The current instant in milliseconds since the Unix epoch, by which webhooks are stale. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** Answers repeat the input, which may hold a picture of ten million bytes in base64. */
const maxAnswerBytes = 32 * 1024 * 1024

/**
 * Runs models of Replicate as predictions. A prediction lives at Replicate: whoever has its id can poll or cancel it.
 * @throws TypeError when an option is wrong
 * @example
 * replicateProvider({
 *   token: process.env.REPLICATE_API_TOKEN!,
 *   models: { flux: { model: 'black-forest-labs/flux-schnell', outputKind: 'image', price: 0.003, priceUnit: 'output' } },
 * })
 */
export function replicateProvider(options: ReplicateProviderOptions): Provider {
  const {
    token,
    webhookSecret,
    baseUrl = 'https://api.replicate.com/v1',
    fetch,
    headers,
    now = Date.now,
  } = options
  const clientWith = (...secrets: readonly string[]) =>
    vendorClient({
      vendor: 'Replicate',
      baseUrl,
      fetch,
      headers: { ...headers, authorization: `Bearer ${token}` },
      secrets: [token, ...secrets],
    })
  const client = clientWith()
  const models = Object.entries(options.models ?? {}).map(([id, model]) => offeredModel(id, model))
  if (models.length === 0) throw new TypeError('models must offer at least one model.')
  if (webhookSecret !== undefined && !/^whsec_[A-Za-z0-9+/]+=*$/.test(webhookSecret))
    throw new TypeError('webhookSecret must be whsec_ and a key in base64.')

  function modelOf(id: string): OfferedModel {
    const model = models.find((offered) => offered.id === id)
    if (model) return model
    throw new Error(`There is no model ${id}.`)
  }

  return {
    name: 'replicate',
    models,

    async submit({ model: id, input }, { signal, callbackUrl }) {
      const model = modelOf(id)
      const { path, version } = model
      // Replicate sends its webhooks to https only, and refuses a prediction that asks for another.
      const isCallable = webhookSecret !== undefined && callbackUrl?.startsWith('https:')
      const webhook = isCallable ? callbackUrl : undefined
      const json = {
        version,
        input: vendorInput(input, model.names),
        ...(webhook !== undefined && { webhook, webhook_events_filter: ['completed'] }),
      }
      // A complaint about the webhook may repeat it.
      const discreet = webhook === undefined ? client : clientWith(webhook)
      const answer = await discreet.ask({ method: 'POST', path, json, signal, maxBytes: maxAnswerBytes })
      if (!answer.ok) return withWait(submitFailure(answer))
      return reportOf(predictionIn(answer.json), model, input)
    },

    async poll({ model, input, handle }, { signal }) {
      const path = pathOf(handle)
      if (path === undefined)
        return { state: 'failed', code: 'provider_lost', message: 'The job has no prediction at Replicate.' }
      const answer = await client.ask({ method: 'GET', path, signal, maxBytes: maxAnswerBytes })
      if (!answer.ok) return withWait(pollFailure(answer))
      return reportOf(predictionIn(answer.json), modelOf(model), input)
    },

    async cancel({ handle }, { signal }) {
      const path = pathOf(handle)
      if (path === undefined) return
      const { ok, status } = await client.ask({
        method: 'POST',
        path: `${path}/cancel`,
        signal,
        maxBytes: maxAnswerBytes,
      })
      if (!ok) throw new Error(`Replicate has not cancelled the prediction: status ${status}.`)
    },

    ...(webhookSecret !== undefined && {
      async readCallback({ headers, body }) {
        await standardWebhook({ secret: webhookSecret, headers, body, now: now() })
        return predictionIn(JSON.parse(new TextDecoder().decode(body))).id
      },
    }),
  }
}

function pathOf(handle: Json): string | undefined {
  return isPredictionId(handle) ? `/predictions/${handle}` : undefined
}

/** Ours win over `provider_options`. */
function vendorInput(input: JsonObject, names: OfferedModel['names']): JsonObject {
  const ours = inputNames.flatMap((name) => {
    const value = input[name]
    if (value === undefined) return []
    const theirs = names[name] ?? name
    return theirs.endsWith('[]') ? [[theirs.slice(0, -2), [value]]] : [[theirs, value]]
  })
  return { ...(input['provider_options'] as JsonObject | undefined), ...Object.fromEntries(ours) }
}

/**
 * Without a `Retry-After` only the words tell how long: "Your rate limit resets in ~30s.", "Expected available in 1
 * second." https://replicate.com/docs/topics/predictions/rate-limits
 */
function withWait(report: ProviderReport): ProviderReport {
  if (report.state !== 'refused' || report.retryAfterMs !== undefined) return report
  const seconds = /\bin ~?(\d{1,6}) ?s/.exec(report.message)?.[1]
  return seconds === undefined ? report : { ...report, retryAfterMs: Number(seconds) * 1000 }
}
