import type { Provider } from '@genmount/core'
import { failed, isTaskId, recordOf, vendorClient } from '@genmount/provider-kit'
import { submitReport } from './ark-failure.ts'
import { type ArkProviderOptions, checkArkOptions } from './ark-options.ts'
import { requestOf } from './ark-request.ts'
import { filmReport, taskIdIn } from './film-report.ts'
import { imagesReport } from './images-report.ts'

/** In milliseconds. The limit is long, because an image is made within one call. */
const callTimeoutMs = 300_000

/** In bytes: enough for fifteen images of the largest size, in base64 in one answer. */
const maxImageBytes = 256 * 1024 * 1024

/**
 * Makes images with Seedream and films with Seedance, by BytePlus ModelArk. A film is a task with an id, by which any
 * process can continue its job. An image is made within one call. ModelArk has no idempotency key: when the answer to a
 * submit is lost, the service fails the job with `submit_ambiguous`, so that it never pays twice. ModelArk does not
 * sign its callbacks, so a callback only triggers a poll.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://docs.byteplus.com/en/docs/ModelArk/Video_Generation_API
 * @example
 * arkProvider({
 *   token: process.env.ARK_API_KEY!,
 *   models: { 'seedream-4-5-251128': { outputKind: 'image', price: 0.04 } },
 * })
 */
export function arkProvider(options: ArkProviderOptions): Provider {
  const { token, models: offered, baseUrl, fetch, headers } = checkArkOptions(options)
  const { ask } = vendorClient({
    vendor: 'ModelArk',
    baseUrl,
    fetch,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })

  return {
    name: 'ark',
    models: offered.models,
    callTimeoutMs,
    callbacksAreHints: true,

    async submit(task, { signal, callbackUrl }) {
      const model = offered.of(task)
      const isImage = model.outputKind === 'image'
      const request = requestOf(model, task.input)
      if (typeof request === 'string') return failed('provider_rejected', request)
      // The answer to a submit contains the image, so an image needs no callback. The URL has a secret, so it must be
      // https.
      const isCalledBack = !isImage && callbackUrl?.startsWith('https:')
      const json = { ...request.json, ...(isCalledBack && { callback_url: callbackUrl }) }
      const limit = isImage && { maxBytes: maxImageBytes }
      const answer = await ask({ method: 'POST', ...request, json, callbackUrl, signal, ...limit })
      if (!answer.ok) return submitReport(answer, model.slug)
      return isImage
        ? imagesReport(answer, model, task.input)
        : { state: 'running', handle: taskIdIn(answer.json) }
    },

    async poll(task, { signal }) {
      const { handle, input } = task
      if (!isTaskId(handle))
        return { state: 'unknown', message: 'The handle of this job does not name a task at ModelArk.' }
      const answer = await ask({ method: 'GET', path: pathOf(handle), signal })
      return answer.ok ? filmReport(answer.json, handle, offered.ofTask(task), input) : answer.pollFailure()
    },

    /**
     * ModelArk cancels a task only while it is queued. For a task that has ended, the same request deletes the record
     * of a film that is paid for. So the state is read first.
     */
    async cancel({ handle }, { signal }) {
      if (!isTaskId(handle)) return
      const path = pathOf(handle)
      const answer = await ask({ method: 'GET', path, signal })
      const isQueued = answer.ok && recordOf(answer.json)['status'] === 'queued'
      const { ok, status } = isQueued ? await ask({ method: 'DELETE', path, signal }) : answer
      // 409: the task has begun meanwhile, and can't be canceled any more.
      if (!ok && status !== 409) throw new Error(`ModelArk answered a cancellation with status ${status}.`)
    },
  }
}

function pathOf(id: string): string {
  return `/contents/generations/tasks/${id}`
}
