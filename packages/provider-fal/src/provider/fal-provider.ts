import type { Provider, RunningTask } from '@genmount/core'
import { failed, recordOf, vendorClient, webhook } from '@genmount/provider-kit'
import { queueHandle, queuePaths } from '../queue/queue-handle.ts'
import { requestFailure } from '../queue/request-failure.ts'
import { resultReport, webhookReport } from '../queue/result-report.ts'
import { submitRefusal } from '../queue/submit-refusal.ts'
import { falWebhooks } from '../webhook/fal-webhooks.ts'
import { checkFalOptions, type FalProviderOptions } from './fal-options.ts'

/**
 * Runs models of fal.ai through its queue. Any process that has the handle of a job can continue it. Jobs can be
 * canceled. fal sends a callback when a job ends, if the service has a public address.
 * @throws TypeError that names the option, when an option is wrong
 * @example falProvider({
 *   token: process.env.FAL_KEY!,
 *   models: { 'flux-schnell': { endpoint: 'fal-ai/flux/schnell', outputKind: 'image', price: 0.003 } }, })
 */
export function falProvider(options: FalProviderOptions): Provider {
  const checked = checkFalOptions(options)
  const { baseUrl, fetch, models: offered } = checked
  const headers = { ...checked.headers, authorization: `Key ${checked.token}` }
  const { ask } = vendorClient({ vendor: 'fal', baseUrl, fetch, headers })
  const readWebhook = falWebhooks(checked)
  const { origin } = new URL(baseUrl)

  function requestOf(task: RunningTask) {
    const handle = queueHandle(task.handle, origin)
    if (!handle) return undefined
    const { endpoint = '' } = handle.status_url === undefined ? offered.of(task) : offered.ofTask(task)
    return { handle, ...queuePaths(handle, endpoint) }
  }

  return {
    name: 'fal',
    models: offered.models,

    async submit(task, { signal, callbackUrl }) {
      const { endpoint, vendorInput } = offered.of(task)
      const input = vendorInput(task.input)
      if (!input) return failed('provider_rejected', 'The input cannot be translated for this model.')
      // With `sync_mode` the files would be part of the result, which would then be too large to be read.
      const json = { ...input, sync_mode: undefined }
      const hook = callbackUrl === undefined ? '' : `?fal_webhook=${encodeURIComponent(callbackUrl)}`
      const answer = await ask({ method: 'POST', path: `${endpoint}${hook}`, json, callbackUrl, signal })
      if (!answer.ok) return submitRefusal(answer, endpoint)
      const handle = queueHandle(answer.json, origin)
      if (!handle) throw new Error('fal answered a submit without a request id.')
      return { state: 'running', handle }
    },

    async poll(task, { signal }) {
      const request = requestOf(task)
      if (!request)
        return { state: 'unknown', message: 'The handle of this job does not name a request of fal.' }
      const { handle } = request
      const answer = await ask({ method: 'GET', path: request.status, signal })
      if (!answer.ok) return answer.pollFailure()
      const status = recordOf(answer.json)
      if (typeof status['status'] !== 'string') throw new Error('fal answered a poll without a status.')
      // A failed request is COMPLETED as well. An unknown status counts as running.
      if (status['status'] !== 'COMPLETED')
        return { state: 'running', handle, queuePosition: placeIn(status) }
      const failure = requestFailure(status)
      if (failure) return failure
      const result = await ask({ method: 'GET', path: request.result, signal })
      if (!result.ok && /still in progress/i.test(result.message ?? '')) return { state: 'running', handle }
      return resultReport(result, status, offered.ofTask(task), task.input)
    },

    async cancel(task, { signal }) {
      const request = requestOf(task)
      if (!request) return
      const { ok, status } = await ask({ method: 'PUT', path: request.cancel, signal })
      // 400 and 404 mean that the request has already ended.
      if (!ok && status !== 400 && status !== 404)
        throw new Error(`fal answered a cancellation with status ${status}.`)
    },

    async readCallback(request, task) {
      const payload = recordOf(await readWebhook(request))
      const handle = queueHandle(payload, origin)
      if (!handle) throw new Error('The webhook has no request id.')
      const own = queueHandle(task?.handle, origin) ?? handle
      if (!task || own.request_id !== handle.request_id) return handle
      return webhook.news(handle, () => webhookReport(payload, offered.of(task), task.input))
    },
  }
}

/** The number of requests in front of this one; `undefined` for a request that has begun. */
function placeIn({ status, queue_position: place }: Record<string, unknown>): number | undefined {
  return status === 'IN_QUEUE' && typeof place === 'number' ? place : undefined
}
