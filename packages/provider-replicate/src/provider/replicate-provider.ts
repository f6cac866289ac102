import type { Json, Provider } from '@genmount/core'
import { failed, isTaskId, vendorClient, webhook } from '@genmount/provider-kit'
import { listedPredictions } from './listed-predictions.ts'
import { predictionFinder } from './prediction-finder.ts'
import { predictionIn, reportOf } from './prediction.ts'
import { checkReplicateOptions, type ReplicateProviderOptions } from './replicate-options.ts'
import { absenceOf, maxBytes, maxPageValues, wordsIn } from './vendor-words.ts'

/**
 * Runs models of Replicate as predictions. Any process that has the id of a prediction can poll and cancel it. When the
 * answer to a submit is lost, the provider searches for the prediction by its webhook URL, which needs `webhookSecret`.
 * @throws TypeError that names the option, when an option is wrong
 * @example replicateProvider({
 *   token: process.env.REPLICATE_API_TOKEN!,
 *   models: { flux: { model: 'black-forest-labs/flux-schnell', outputKind: 'image', price: 0.003, priceUnit: 'output' }
 *   }, })
 */
export function replicateProvider(options: ReplicateProviderOptions): Provider {
  const checked = checkReplicateOptions(options)
  const { token, models: offered, webhookSecret, now, baseUrl, fetch, headers } = checked
  const { ask } = vendorClient({
    vendor: 'Replicate',
    baseUrl,
    fetch,
    headers: { ...headers, authorization: `Bearer ${token}` },
    wordsIn,
  })
  const findPrediction = predictionFinder(ask)

  /** Replicate sends webhooks only to https URLs, and refuses predictions that name another URL. */
  const webhookAt = (url: string | undefined) =>
    webhookSecret !== undefined && url?.startsWith('https:') ? url : undefined

  return {
    name: 'replicate',
    models: offered.models,

    async submit(task, { signal, callbackUrl: webhookUrl }) {
      const model = offered.of(task)
      const input = model.vendorInput(task.input)
      if (!input) return failed('provider_rejected', 'The input cannot be translated for this model.')
      const callbackUrl = webhookAt(webhookUrl)
      const hook =
        callbackUrl === undefined ? {} : { webhook: callbackUrl, webhook_events_filter: ['completed'] }
      const json = { version: model.version, input, ...hook }
      const answer = await ask({ method: 'POST', path: model.path, json, callbackUrl, signal, maxBytes })
      return answer.ok
        ? reportOf(predictionIn(answer.json), model, task.input)
        : answer.submitFailure(absenceOf(model.slug, answer))
    },

    async poll(task, { signal }) {
      const path = pathOf(task.handle)
      if (path === undefined)
        return {
          state: 'unknown',
          message: 'The handle of this job does not name a prediction of Replicate.',
        }
      const answer = await ask({ method: 'GET', path, signal, maxBytes })
      return answer.ok
        ? reportOf(predictionIn(answer.json, String(task.handle)), offered.ofTask(task), task.input)
        : answer.pollFailure()
    },

    async cancel({ handle }, { signal }) {
      const path = pathOf(handle)
      if (path === undefined) return
      const { ok, status } = await ask({ method: 'POST', path: `${path}/cancel`, signal, maxBytes })
      if (!ok) throw new Error(`Replicate answered a cancellation with status ${status}.`)
    },

    list: (since, signal) =>
      listedPredictions(
        (path) => ask({ method: 'GET', path, signal, maxBytes, maxValues: maxPageValues }),
        offered,
        since,
      ),

    ...(webhookSecret !== undefined && {
      async find(task, { signal, callbackUrl: webhookUrl, submittedAt = now() }) {
        const callbackUrl = webhookAt(webhookUrl)
        if (callbackUrl === undefined)
          return {
            state: 'unknown',
            message: 'The prediction has no webhook URL by which it could be found.',
          }
        return findPrediction({ callbackUrl, submittedAt, version: offered.ofTask(task).version, signal })
      },

      async readCallback(request, task) {
        await webhook.standard({ ...request, secret: webhookSecret, now: now() })
        const prediction = predictionIn(webhook.json(request.body))
        const { id } = prediction
        if (!task || (task.handle !== null && task.handle !== id)) return id
        return webhook.news(id, () => reportOf(prediction, offered.ofTask(task), task.input))
      },
    }),
  }
}

function pathOf(handle: Json): string | undefined {
  return isTaskId(handle) ? `/predictions/${handle}` : undefined
}
