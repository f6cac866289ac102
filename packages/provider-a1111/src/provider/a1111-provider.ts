import {
  costOf,
  type JsonObject,
  type Price,
  type Provider,
  type ProviderReport,
  toBase64,
} from '@genmount/core'
import {
  answerFiles,
  failed,
  pictureRefusal,
  recordOf,
  type VendorAnswer,
  vendorClient,
  withPictures,
} from '@genmount/provider-kit'
import { type A1111ProviderOptions, checkA1111Options } from './a1111-options.ts'

/** The largest answer, in bytes. One answer has all images in base64, and repeats the request. */
const maxBytes = 256 * 1024 * 1024

/** A picture is in memory as bytes, as base64, in the JSON and in the body of the request. */
const reading = { types: ['png', 'jpeg', 'webp'], line: 'a1111', copies: 4, patienceMs: 5000 } as const

/**
 * Makes and changes images with a server that has the API of AUTOMATIC1111's web UI: the web UI itself with `--api`,
 * Forge, SD.Next, or Draw Things. An image is made within one call. If that call breaks off, nobody knows what has
 * become of the image, and the service fails the job with `submit_ambiguous`, unless its `onAmbiguousSubmit` is
 * `'resubmit'`.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://github.com/AUTOMATIC1111/stable-diffusion-webui/wiki/API
 * @example a1111Provider({ baseUrl: 'http://127.0.0.1:7860', models: { sdxl: { parameters: { steps: 20 } } } })
 */
export function a1111Provider(options: A1111ProviderOptions): Provider {
  const checked = checkA1111Options(options)
  const { name, login, models: offered, baseUrl, fetch, headers, fetchFile, callTimeoutMs } = checked
  const authorization = login !== undefined && `Basic ${toBase64(new TextEncoder().encode(login))}`
  const { ask } = vendorClient({
    vendor: 'The server',
    baseUrl,
    fetch,
    headers: { ...headers, ...(authorization && { authorization }) },
  })

  return {
    name,
    models: offered.models,
    callTimeoutMs,

    async submit(task, { signal }) {
      const { vendorInput, fixed, price } = offered.of(task)
      const input = vendorInput(task.input)
      if (!input)
        return failed(
          'provider_rejected',
          'The input cannot be translated. A resolution has the form 768x512.',
        )
      const { init_images = [], mask, ...parameters } = input
      const images = init_images as readonly string[]
      const sources = [...images, ...(mask === undefined ? [] : [mask as string])]
      const path = images.length > 0 ? '/sdapi/v1/img2img' : '/sdapi/v1/txt2img'
      const send = (pictures: object) =>
        ask({ method: 'POST', path, json: { ...parameters, ...fixed, ...pictures }, signal, maxBytes })
      try {
        const answer = await withPictures(
          sources,
          { ...reading, fetchFile, signal, owner: task.owner },
          (pictures) => {
            const data = pictures.map(({ bytes }) => toBase64(bytes))
            const ofMask = data[images.length]
            return send({
              ...(images.length > 0 && { init_images: data.slice(0, images.length) }),
              ...(ofMask !== undefined && { mask: ofMask }),
            })
          },
        )
        return answer.ok ? reportOf(answer, task.input, price) : failureReport(answer, name)
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    async poll() {
      return {
        state: 'unknown',
        message: 'The server makes an image within the request itself, so there is no task to poll.',
      }
    },
  }
}

/** SD.Next and extensions of the web UI put `data:image/png;base64,` before an image. */
function reportOf(answer: VendorAnswer, input: JsonObject, price: Price | undefined): ProviderReport {
  const content = answer.content
  const files = answerFiles(content, { kind: 'image' })
  const costUsd = costOf(price, { input, units: files.made })
  return files.report({ vendor: 'The server', kind: 'image', answer: content, costUsd })
}

/**
 * The web UI answers an error while it makes an image with 500 and `{ error: 'OutOfMemoryError', errors: 'CUDA out of
 * memory' }`. After such an answer, the server is no longer working on the request.
 */
function failureReport(answer: VendorAnswer, name: string): ProviderReport {
  const { error, errors } = recordOf(answer.json)
  if (answer.status === 500 && typeof error === 'string' && typeof errors === 'string')
    return failed('provider_failed', errors || error)
  return answer.submitFailure({ modelName: `such model at ${name}` })
}
