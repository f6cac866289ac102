import type { Provider } from '@genmount/core'
import { vendorClient } from '@genmount/provider-kit'
import { type ImageInput, parametersOf, picturesIn } from '../gpt-image/image-input.ts'
import { failureReport } from '../gpt-image/openai-failure.ts'
import { imagesReport } from './images-report.ts'
import { checkOpenaiOptions, type OpenaiProviderOptions } from './openai-options.ts'

/** Long, because an image takes up to two minutes, and longer at high quality, and only this call can return it. */
const callTimeoutMs = 300_000

/** Enough for ten images of the largest size, which come in base64 in one answer. */
const maxBytes = 256 * 1024 * 1024

/**
 * Makes and edits images with OpenAI's GPT Image models, through the images API. The API makes an image within one call
 * and keeps nothing. If that call breaks off, it is unknown whether an image was made and charged. The service then
 * fails the job with `submit_ambiguous`, so that it never pays twice. `openaiResponsesProvider` of
 * `openaiResponsesProvider` of `@genmount/provider-openai/responses` makes the same images in the background.
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
      const { vendorModel, fixed, costOf } = offered.of(task)
      const input = task.input as ImageInput
      const pictures = picturesIn(input)
      const json = {
        ...parametersOf(input, fixed),
        model: vendorModel,
        prompt: input.prompt,
        n: input.num_outputs,
        ...(pictures.length > 0 && picturesInJson(pictures, input.mask)),
        // Undefined parameters are not sent, so the answer is one JSON document and not a stream.
        stream: undefined,
      }
      const path = pictures.length > 0 ? '/images/edits' : '/images/generations'
      const answer = await ask({ method: 'POST', path, json, signal, maxBytes })
      if (!answer.ok) return failureReport(answer, `OpenAI model ${vendorModel}`)
      return imagesReport(answer, (outputs, tokens) => costOf({ input: task.input, outputs, tokens }))
    },

    async poll() {
      return {
        state: 'unknown',
        message: 'OpenAI makes an image within the request itself, so there is no task that could be polled.',
      }
    },
  }
}

/** The pictures of an edit as its JSON body contains them. */
function picturesInJson(pictures: readonly string[], mask: string | undefined): object {
  return {
    images: pictures.map((image_url) => ({ image_url })),
    ...(mask !== undefined && { mask: { image_url: mask } }),
  }
}
