import {
  checkFileFetch,
  checkOptions,
  checkPrice,
  choice,
  count,
  type FileFetch,
  type JsonObject,
  optional,
  type OptionTable,
  type Price,
  shownPrice,
  text,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import {
  type HostedOptions,
  offerModels,
  openModel,
  type OpenModelOptions,
  openModelOptions,
  serverOptions,
  type VendorFields,
} from '@genmount/provider-kit'
import { checkFixedParameters } from '../gpt-image/image-input.ts'

/** A model of the server, as the app offers it. */
export interface OpenaiCompatibleModel extends Omit<OpenModelOptions, 'outputKind'> {
  /** The model's name at the server. @default the public id */
  readonly model?: string | undefined
  /**
   * Which fields of the interface the model has, and how the server calls them.
   * @default { prompt: 'prompt', image: 'image[16]', mask: 'mask', resolution: 'size', num_outputs: 'n' }
   * @example { seed: 'seed', negative_prompt: 'negative_prompt', guidance: 'guidance_scale', mask: false }
   */
  readonly fields?: VendorFields | undefined
  /** The price in US dollars of each image. @default none: jobs have no known cost */
  readonly price?: Price | undefined
  /**
   * Parameters of every request for this model, as the server names them. They win over the client's values, and a
   * field of the interface that would set the same parameter is omitted from the model's input.
   * @default none
   * @example { response_format: 'b64_json', size: '512x512', num_inference_steps: 20 }
   */
  readonly providerOptions?: JsonObject | undefined
}

/** The options of `openaiCompatible`. */
export interface OpenaiCompatibleOptions extends Omit<HostedOptions<OpenaiCompatibleModel>, 'token'> {
  /** The address of the server's API, which usually ends in `/v1`. */
  readonly baseUrl: string
  /** The API key, which is sent only to `baseUrl`. @default none is sent */
  readonly token?: string | undefined
  /**
   * The name of the provider in logs. Two servers in one service need two names.
   * @default 'openai-compatible'
   */
  readonly name?: string | undefined
  /**
   * How the pictures of an edit are sent. `form`: as files in multipart/form-data; this process fetches pictures that
   * are URLs. `json`: as URLs and data URIs, which OpenAI itself also accepts.
   * @default 'form'
   */
  readonly edits?: 'json' | 'form' | undefined
  /**
   * Fetches the picture URLs of clients for a `form`, and images that the server names by an http URL at another
   * origin.
   * @default guardedFetch
   */
  readonly fetchFile?: FileFetch | undefined
  /**
   * How long the server may take to answer, in milliseconds. It answers when the images are made.
   * @default 300000 (5 minutes)
   */
  readonly callTimeoutMs?: number | undefined
}

/** Every server with this API has these fields. */
const usual: VendorFields = {
  prompt: 'prompt',
  image: 'image[16]',
  mask: 'mask',
  resolution: 'size',
  num_outputs: 'n',
  negative_prompt: false,
  aspect_ratio: false,
  seed: false,
}

const { outputKind: _kind, ...openOptions } = openModelOptions

const modelTable = {
  ...openOptions,
  model: optional(text('the name of a model at the server')),
  price: checkPrice,
  providerOptions: checkFixedParameters,
} satisfies OptionTable<OpenaiCompatibleModel>

function offeredModel(options: OpenaiCompatibleModel, at: string, id: string) {
  const checked = checkOptions(at, options, modelTable)
  const { model = id, price, providerOptions: fixed } = checked
  const names = Object.keys(fixed)
  const reserved = ['model', 'stream', 'partial_images', ...names]
  return {
    ...openModel(at, { ...checked, outputKind: 'image' }, { usual, reserved, fixed: names }),
    outputKind: 'image' as const,
    vendorModel: model,
    fixed,
    price,
    isCostKnown: price !== undefined,
    shownPrice: shownPrice(price, 'image'),
  }
}

const table = {
  ...serverOptions(),
  name: optional(text('a name of letters, digits, _ and -', /^[\w-]+$/), 'openai-compatible'),
  models: offerModels(offeredModel),
  edits: optional(choice('json', 'form'), 'form'),
  fetchFile: optional(checkFileFetch, guardedFetch),
  callTimeoutMs: optional(count(1, 3_600_000), 300_000),
} satisfies OptionTable<OpenaiCompatibleOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkOpenaiCompatibleOptions(options: OpenaiCompatibleOptions) {
  return checkOptions('openaiCompatible', options, table)
}
