import type { FileFetch, JsonObject, Provider, ProviderReport, ProviderTask } from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { failed, pictureRefusal, vendorClient } from '@genmount/provider-kit'
import { taskHandle } from '../task/task-handle.ts'
import { taskReport } from '../task/task-report.ts'
import { checkRunpodOptions, type RunpodProviderOptions } from './runpod-options.ts'
import { withWorkflowInput } from './workflow-input.ts'

/** In bytes: an answer has files of at most 20 MB, and may have more around them. */
const maxAnswerBytes = 64 * 1024 * 1024

/** The largest request, in bytes: 10 MB. https://docs.runpod.io/serverless/endpoints/operation-reference#run */
const maxRequestBytes = 10 * 1024 * 1024

/**
 * Runs models on Runpod: serverless endpoints of your own, workflows of ComfyUI on worker-comfyui, and public endpoints.
 * The id of the endpoint and that of the task are the handle, so any process can continue a job. Runpod has no idempotency
 * key: when the answer to a submit is lost, the service fails the job with `submit_ambiguous`, so that it never pays twice.
 * Runpod does not sign its webhooks, so a webhook only triggers a poll.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://docs.runpod.io/serverless/endpoints/send-requests
 * @example
 * runpodProvider({
 *   token: process.env.RUNPOD_API_KEY!,
 *   models: { 'wan-2.6': { endpoint: 'wan-2-6-t2v', outputKind: 'video', fields: { duration: 'duration' } } },
 * })
 */
export function runpodProvider(options: RunpodProviderOptions): Provider {
  const { token, models: offered, baseUrl, fetch, headers, allowAddress } = checkRunpodOptions(options)
  const { ask } = vendorClient({
    vendor: 'Runpod',
    baseUrl,
    fetch,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  const fetchFile: FileFetch = (url, limits) => guardedFetch(url, { ...limits, allowAddress })

  return {
    name: 'runpod',
    models: offered.models,
    callbacksAreHints: true,

    async submit(task: ProviderTask, { signal, callbackUrl }) {
      const { endpoint, policy, ...model } = offered.of(task)
      const send = async (input: JsonObject | undefined): Promise<ProviderReport> => {
        if (!input) return failed('provider_rejected', 'The input cannot be translated for this model.')
        // The URL has a secret, so it must be https.
        const webhook = callbackUrl?.startsWith('https:') ? callbackUrl : undefined
        const json = { input, webhook, policy }
        if (new TextEncoder().encode(JSON.stringify(json)).byteLength > maxRequestBytes)
          return failed('provider_rejected', tooLarge)
        const answer = await ask({ method: 'POST', path: `${endpoint}/run`, json, callbackUrl, signal })
        if (!answer.ok) return answer.submitFailure({ modelName: `Runpod endpoint ${endpoint}` })
        const handle = taskHandle({ ...(answer.json as object), endpoint })
        if (!handle) throw new Error('Runpod answered a submit without the id of a task.')
        return { state: 'running', handle }
      }
      return model.workflow
        ? withWorkflowInput(task, model.workflow, { fetchFile, signal }, send).catch(pictureRefusal)
        : send(model.workerInput(task.input))
    },

    async poll(task, { signal }) {
      const handle = taskHandle(task.handle)
      if (!handle)
        return { state: 'unknown', message: 'The handle of this job does not name a task of Runpod.' }
      const path = `${handle.endpoint}/status/${handle.id}`
      const answer = await ask({ method: 'GET', path, maxBytes: maxAnswerBytes, signal })
      if (!answer.ok) return answer.pollFailure()
      return taskReport(answer.json, { handle, model: offered.ofTask(task), input: task.input })
    },

    async cancel(task, { signal }) {
      const handle = taskHandle(task.handle)
      if (!handle) return
      const path = `${handle.endpoint}/cancel/${handle.id}`
      const { ok, status } = await ask({ method: 'POST', path, maxBytes: maxAnswerBytes, signal })
      // These statuses mean that the task has already ended or is unknown. The next poll shows which.
      if (!ok && ![400, 404, 409].includes(status))
        throw new Error(`Runpod answered a cancellation with status ${status}.`)
    },
  }
}

const tooLarge =
  'The request is larger than the 10 MB that Runpod accepts. Give files as URLs if the model takes them, or smaller files.'
