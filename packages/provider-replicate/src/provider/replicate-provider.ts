import type { Json, Provider } from '@genmount/core'
import { vendorInput } from '@genmount/input-fields'
import {
  checkToken,
  failed,
  messageOf,
  offerModels,
  pollFailure,
  standardWebhook,
  submitFailure,
  unknownNow,
  type VendorAnswer,
  vendorClient,
  type VendorWords,
} from '@genmount/vendor-http'
import { isPredictionId, predictionIn, reportOf } from './prediction.ts'
import { offeredModel, type ReplicateProviderOptions } from './replicate-options.ts'

/** Answers repeat the input, which may hold a picture of ten million bytes in base64. */
const maxBytes = 32 * 1024 * 1024

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
  const { token, baseUrl = 'https://api.replicate.com/v1', fetch, webhookSecret, now = Date.now } = options
  const { ask } = vendorClient({
    vendor: 'Replicate',
    baseUrl,
    fetch,
    headers: { ...options.headers, authorization: `Bearer ${checkToken(token)}` },
  })
  const offered = offerModels(options.models, offeredModel)
  if (webhookSecret !== undefined && !/^whsec_[A-Za-z0-9+/]+=*$/.test(webhookSecret))
    throw new TypeError('webhookSecret must be whsec_ and a key in base64.')

  return {
    name: 'replicate',
    models: offered.models,

    async submit(task, { signal, callbackUrl: given }) {
      const model = offered.of(task)
      const input = vendorInput(task.input, model.fields)
      if (!input) return failed('provider_rejected', 'The input cannot be translated for this model.')
      // Replicate sends its webhooks to https only, and refuses a prediction that asks for another.
      const callbackUrl = webhookSecret !== undefined && given?.startsWith('https:') ? given : undefined
      const hook =
        callbackUrl === undefined ? {} : { webhook: callbackUrl, webhook_events_filter: ['completed'] }
      const json = { version: model.version, input, ...hook }
      const answer = await ask({ method: 'POST', path: model.path, json, callbackUrl, signal, maxBytes })
      return answer.ok
        ? reportOf(predictionIn(answer.json), model, task.input)
        : submitFailure(answer, wordsOf(answer))
    },

    async poll(task, { signal }) {
      const path = pathOf(task.handle)
      if (path === undefined) return unknownNow('The job has no prediction at Replicate.')
      const answer = await ask({ method: 'GET', path, signal, maxBytes })
      return answer.ok
        ? reportOf(predictionIn(answer.json), offered.of(task), task.input)
        : pollFailure(answer, wordsOf(answer))
    },

    async cancel({ handle }, { signal }) {
      const path = pathOf(handle)
      if (path === undefined) return
      const { ok, status } = await ask({ method: 'POST', path: `${path}/cancel`, signal, maxBytes })
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

/**
 * Without a `Retry-After` only the words tell how long: "Your rate limit resets in ~30s.", "Expected available in 1
 * second." https://replicate.com/docs/topics/predictions/rate-limits
 */
function wordsOf({ json }: VendorAnswer): VendorWords {
  const message = messageOf(json)
  const [, seconds] = /\bin ~?(\d{1,6}) ?s/.exec(message ?? '') ?? []
  return { message, retryAfterMs: seconds === undefined ? undefined : Number(seconds) * 1000 }
}
