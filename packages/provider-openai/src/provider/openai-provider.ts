import { checkCount, type Model, type Price, type Provider } from '@genmount/core'
import { vendorClient } from '@genmount/vendor-http'
import { imageInput, type ImageInput } from './image-input.ts'
import { imagePricer, type TokenPrices } from './image-price.ts'
import { failureReport, imagesReport } from './image-report.ts'
import { imageRequest } from './image-request.ts'

export interface OpenaiModelOptions {
  /** OpenAI's name of the model. @default the public id */
  readonly model?: string | undefined
  /** US dollars: for a million tokens of each kind, or core's `Price` for each image. @default jobs cost nothing */
  readonly price?: TokenPrices | Price | undefined
  /** How long a job usually takes, in milliseconds. @default 30000 */
  readonly typicalMs?: number | undefined
  /** Whole days for which jobs and their outputs are kept. @default the service's */
  readonly retentionDays?: number | undefined
}

export interface OpenaiProviderOptions {
  /** The API key. */
  readonly token: string
  /** The public model ids, and what OpenAI calls each. */
  readonly models: Readonly<Record<string, OpenaiModelOptions>>
  /** @default 'https://api.openai.com/v1' */
  readonly baseUrl?: string | undefined
  /** @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Sent with every request, `OpenAI-Organization` and `OpenAI-Project` for example. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Images take up to two minutes, at high quality longer, and there is nothing to come back to: one call has to do. */
const callTimeoutMs = 300_000

/** Ten images of the largest size come in one answer, in base64. */
const maxAnswerBytes = 256 * 1024 * 1024

/**
 * Makes and edits images with OpenAI's GPT Image models. The API makes an image within one call and keeps nothing: a call
 * that breaks off has an unknown outcome, and the service fails its job with `submit_ambiguous` rather than pay twice.
 * @throws TypeError when an option is wrong
 * @see https://platform.openai.com/docs/api-reference/images
 * @example openaiProvider({ token: process.env.OPENAI_API_KEY, models: { 'gpt-image-2': {} } })
 */
export function openaiProvider(options: OpenaiProviderOptions): Provider {
  const { token, models, baseUrl = 'https://api.openai.com/v1', fetch, headers } = options
  const client = vendorClient({
    vendor: 'OpenAI',
    baseUrl,
    fetch,
    headers: { authorization: `Bearer ${token}`, ...headers },
    secrets: [token],
  })
  const catalogue = catalogueOf(models)

  return {
    name: 'openai',
    models: [...catalogue.values()].map(({ model }) => model),
    callTimeoutMs,

    async submit(task, { signal }) {
      const { vendorModel, costOf } = catalogue.get(task.model)!
      const input = task.input as ImageInput
      const request = imageRequest(vendorModel, input)
      const answer = await client.ask({ method: 'POST', ...request, signal, maxBytes: maxAnswerBytes })
      return answer.ok
        ? imagesReport(answer, (images, usage) => costOf({ input: task.input, images, usage }))
        : failureReport(answer)
    },

    async poll() {
      return {
        state: 'failed',
        code: 'provider_lost',
        message: 'OpenAI makes an image within the call that asks for it: there is no task to ask after.',
      }
    },
  }
}

function catalogueOf(models: OpenaiProviderOptions['models']) {
  const entries = Object.entries(models ?? {})
  if (entries.length === 0) throw new TypeError('models must name at least one model.')
  return new Map(
    entries.map(([id, { model: vendorModel = id, price, typicalMs = 30_000, retentionDays }]) => {
      const place = `models['${id}']`
      if (typeof vendorModel !== 'string' || vendorModel === '')
        throw new TypeError(`${place}.model must be OpenAI's name of a model.`)
      const model: Model = {
        id,
        outputKind: 'image',
        input: imageInput,
        typicalMs: checkCount(`${place}.typicalMs`, typicalMs),
        retentionDays:
          retentionDays === undefined
            ? undefined
            : checkCount(`${place}.retentionDays`, retentionDays, 1, 3650),
      }
      return [id, { model, vendorModel, costOf: imagePricer(`${place}.price`, price) }]
    }),
  )
}
