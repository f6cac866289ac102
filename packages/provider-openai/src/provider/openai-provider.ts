import type { Provider } from '@genmount/core'
import { pictureRefusal } from '@genmount/input-fields'
import { unknownNow, vendorClient, type VendorRequest } from '@genmount/vendor-http'
import { withEditForm } from './edit-form.ts'
import { type ImageInput, parametersOf, picturesInJson } from './image-input.ts'
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
  const { token, models: offered, baseUrl, fetch, headers, edits, fetchFile } = checkOpenaiOptions(options)
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
      const { owner } = task
      const input = task.input as ImageInput
      const { image, mask } = input
      const images = [image ?? []].flat()
      const parameters = parametersOf(vendorModel, input, fixed)
      const path = images.length > 0 ? '/images/edits' : '/images/generations'
      const send = (body: Pick<VendorRequest, 'json' | 'form'>) =>
        ask({ method: 'POST', path, ...body, signal, maxBytes })
      try {
        const answer =
          images.length > 0 && edits === 'form'
            ? await withEditForm({ parameters, images, mask }, { fetchFile, signal, owner }, (form) =>
                send({ form }),
              )
            : await send({ json: { ...parameters, ...(images.length > 0 && picturesInJson(images, mask)) } })
        if (!answer.ok) return failureReport(answer, vendorModel)
        const source = { ask, fetchFile, baseUrl, signal, owner }
        return await imagesReport(answer, source, (outputs, tokens) =>
          costOf({ input: task.input, outputs, tokens }),
        )
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    async poll() {
      return unknownNow(
        'OpenAI makes an image within the request itself, so there is no task that could be polled.',
      )
    },
  }
}
