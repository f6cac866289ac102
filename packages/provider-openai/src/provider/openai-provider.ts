import type { Provider } from '@genmount/core'
import { unknownNow, vendorClient } from '@genmount/vendor-http'
import { type ImageInput, imageRequest } from './image-input.ts'
import { failureReport, imagesReport } from './images-report.ts'
import { checkOpenaiOptions, type OpenaiProviderOptions } from './openai-options.ts'

/** Long, because an image takes up to two minutes, at high quality longer, and only the same call can return it. */
const callTimeoutMs = 300_000

/** Enough for ten images of the largest size, which come in base64 in one answer. */
const maxBytes = 256 * 1024 * 1024

/**
 * Makes and edits images with OpenAI's GPT Image models. The API makes an image within one call and keeps nothing. If
 * that call breaks off, nobody knows whether an image was made and charged. The service then fails the job with
 * `submit_ambiguous`, so that it never pays twice.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://platform.openai.com/docs/api-reference/images
 * @example openaiProvider({ token: process.env.OPENAI_API_KEY!, models: { 'gpt-image-2': {} } })
 */
export function openaiProvider(options: OpenaiProviderOptions): Provider {
  const { token, models: offered, baseUrl, fetch, headers } = checkOpenaiOptions(options)
  const { ask } = vendorClient({
    vendor: 'OpenAI',
    baseUrl,
    fetch,
    headers: { ...headers, authorization: `Bearer ${token}` },
  })

  return {
    name: 'openai',
    models: offered.models,
    callTimeoutMs,

    async submit(task, { signal }) {
      const { vendorModel, costOf } = offered.of(task)
      const { input } = task
      const answer = await ask({
        method: 'POST',
        ...imageRequest(vendorModel, input as ImageInput),
        signal,
        maxBytes,
      })
      return answer.ok
        ? imagesReport(answer, (outputs, tokens) => costOf({ input, outputs, tokens }))
        : failureReport(answer, vendorModel)
    },

    async poll() {
      return unknownNow(
        'OpenAI makes an image within the request itself, so there is no task that could be polled.',
      )
    },
  }
}
