import type { Provider } from '@genmount/core'
import { failed, isTaskId, vendorClient } from '@genmount/provider-kit'
import { imagesReport } from './images-report.ts'
import { requestIdIn, videoReport } from './video-report.ts'
import { pollReport, submitReport } from './xai-failure.ts'
import { checkXaiOptions, type XaiProviderOptions } from './xai-options.ts'
import { requestOf } from './xai-request.ts'

/** In milliseconds. The limit is long, because an image is made within one call. */
const callTimeoutMs = 300_000

/** In bytes: enough for ten images of the largest size, in base64 in one answer. */
const maxImageBytes = 128 * 1024 * 1024

/**
 * Makes and edits images and films with xAI's Grok Imagine models. A film is a request with an id, by which any process
 * can continue its job. xAI has no way to cancel a request. An image is made within one call. xAI has no idempotency
 * key and no list of requests: when the answer to a submit is lost, the service fails the job with `submit_ambiguous`,
 * so that it never pays twice.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://docs.x.ai/developers/model-capabilities/imagine
 * @example
 * xaiProvider({ token: process.env.XAI_API_KEY!, models: { 'grok-imagine-image': { outputKind: 'image' } } })
 */
export function xaiProvider(options: XaiProviderOptions): Provider {
  const { token, models: offered, baseUrl, fetch, headers } = checkXaiOptions(options)
  const { ask } = vendorClient({
    vendor: 'xAI',
    baseUrl,
    fetch,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })

  return {
    name: 'xai',
    models: offered.models,
    callTimeoutMs,

    async submit(task, { signal }) {
      const model = offered.of(task)
      const request = requestOf(model, task.input)
      if (!request) return failed('provider_rejected', 'The input cannot be translated for this model.')
      const isImage = model.outputKind === 'image'
      const answer = await ask({
        method: 'POST',
        ...request,
        signal,
        ...(isImage && { maxBytes: maxImageBytes }),
      })
      if (!answer.ok) return submitReport(answer, model.slug)
      return isImage
        ? imagesReport(answer, model, task.input)
        : { state: 'running', handle: requestIdIn(answer.json) }
    },

    async poll(task, { signal }) {
      const { handle, input } = task
      if (!isTaskId(handle))
        return { state: 'unknown', message: 'The handle of this job does not name a request at xAI.' }
      const answer = await ask({ method: 'GET', path: `/videos/${handle}`, signal })
      return answer.ok ? videoReport(answer, handle, offered.ofTask(task), input) : pollReport(answer)
    },
  }
}
