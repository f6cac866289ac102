import type { Json, Provider } from '@genmount/core'
import { vendorInput } from '@genmount/input-fields'
import {
  checkToken,
  failed,
  offerModels,
  pollFailure,
  standardWebhook,
  submitFailure,
  unknownNow,
  vendorClient,
} from '@genmount/vendor-http'
import { predictionFinder } from './find-prediction.ts'
import { isPredictionId, predictionIn, reportOf } from './prediction.ts'
import { offeredModel, type ReplicateProviderOptions } from './replicate-options.ts'
import { maxBytes, wordsOf } from './vendor-words.ts'

/**
 * Runs models of Replicate as predictions. A prediction lives at Replicate: whoever has its id can poll or cancel it. One
 * whose creation was never answered is looked for by its webhook, where it has one.
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
  const findPrediction = predictionFinder(ask)
  if (webhookSecret !== undefined && !/^whsec_[A-Za-z0-9+/]+=*$/.test(webhookSecret))
    throw new TypeError('webhookSecret must be whsec_ and a key in base64.')

  /** Replicate sends its webhooks to https only, and refuses a prediction that asks for another. */
  const webhookAt = (url: string | undefined) =>
    webhookSecret !== undefined && url?.startsWith('https:') ? url : undefined

  return {
    name: 'replicate',
    models: offered.models,

    async submit(task, { signal, callbackUrl: given }) {
      const model = offered.of(task)
      const input = vendorInput(task.input, model.fields)
      if (!input) return failed('provider_rejected', 'The input cannot be translated for this model.')
      const callbackUrl = webhookAt(given)
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
      async find(task, { signal, callbackUrl: given, submittedAt = now() }) {
        const callbackUrl = webhookAt(given)
        if (callbackUrl === undefined) return unknownNow('The job has no webhook that it could be known by.')
        return findPrediction({ callbackUrl, submittedAt, version: offered.of(task).version, signal })
      },

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
