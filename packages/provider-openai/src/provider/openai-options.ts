import {
  checkFileFetch,
  checkOptions,
  choice,
  type FileFetch,
  type JsonObject,
  optional,
  type OptionTable,
  type Price,
  text,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import { checkAllowedOptions, modelInput, type ProviderOptionsAllowance } from '@genmount/input-fields'
import {
  type HostedOptions,
  hostedOptions,
  type ModelOptions,
  modelOptions,
  offerModels,
  shownUsagePrice,
  type TokenPrices,
  usagePricer,
} from '@genmount/vendor-http'
import { checkFixedParameters, imageInput, ownParameters } from './image-input.ts'

/**
 * Prices in US dollars for a million tokens of each kind, as in OpenAI's price list. `textInput`: the prompt.
 * `imageInput`: the pictures that are edited. `imageOutput`: the images. `textOutput`: the text in which some models
 * think; without it, such tokens have the price of `imageOutput`.
 * @see https://platform.openai.com/docs/pricing
 * @example { textInput: 5, imageInput: 8, imageOutput: 30 }
 */
export type OpenaiTokenPrices = TokenPrices<'textInput' | 'imageInput' | 'imageOutput', 'textOutput'>

/** A model of OpenAI, as the app offers it. */
export interface OpenaiModel extends ModelOptions, ProviderOptionsAllowance {
  /** The model's name at OpenAI. @default the public id */
  readonly model?: string | undefined
  /**
   * The price in US dollars of each image, or of a million tokens of each kind.
   * @default none: jobs have no known cost
   */
  readonly price?: Price | OpenaiTokenPrices | undefined
  /**
   * Parameters of every request for this model, as the vendor names them. They win over what clients ask for. A fixed
   * `size`, `quality` or `output_format` leaves its field out of the model's input.
   * @default none
   * @example { response_format: 'b64_json', size: '512x512', num_inference_steps: 20 }
   */
  readonly providerOptions?: JsonObject | undefined
}

/** The options of `openaiProvider`. */
export interface OpenaiProviderOptions extends HostedOptions<OpenaiModel> {
  /**
   * How pictures are sent that are to be edited. `json`: as URLs and data URIs, and the vendor fetches the URLs.
   * `form`: as files in multipart/form-data, which most servers with OpenAI's API want; URLs are fetched here.
   * @default 'json' when `baseUrl` is OpenAI's, else 'form'
   */
  readonly edits?: 'json' | 'form' | undefined
  /**
   * Fetches the picture URLs of clients for a `form`, and images that a server names by an http URL at another origin.
   * @default guardedFetch
   */
  readonly fetchFile?: FileFetch | undefined
}

const openaiUrl = 'https://api.openai.com/v1'

const modelTable = {
  ...modelOptions,
  model: optional(text('the name of a model at OpenAI')),
  allowedProviderOptions: (name, allowed) => checkAllowedOptions(name, allowed, ownParameters),
  price: (name, price) =>
    usagePricer(name, price, ['textInput', 'imageInput', 'imageOutput'], { textOutput: 'imageOutput' }),
  providerOptions: checkFixedParameters,
} satisfies OptionTable<OpenaiModel>

function offeredModel(options: OpenaiModel, at: string, id: string) {
  const checked = checkOptions(at, options, modelTable)
  const { model = id, price, allowedProviderOptions, providerOptions: fixed } = checked
  const input = modelInput(imageInput(allowedProviderOptions, fixed))
  const isCostKnown = options.price !== undefined
  return {
    vendorModel: model,
    fixed,
    outputKind: 'image' as const,
    input,
    typicalMs: 30_000,
    isCostKnown,
    shownPrice: shownUsagePrice(options.price, 'image'),
    costOf: price,
  }
}

const table = {
  ...hostedOptions('OPENAI_API_KEY', openaiUrl),
  models: offerModels(offeredModel),
  edits: optional(choice('json', 'form')),
  fetchFile: optional(checkFileFetch, guardedFetch),
} satisfies OptionTable<OpenaiProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkOpenaiOptions(options: OpenaiProviderOptions) {
  const checked = checkOptions('openaiProvider', options, table)
  const isOpenai = new URL(checked.baseUrl).origin === new URL(openaiUrl).origin
  return { ...checked, edits: checked.edits ?? (isOpenai ? 'json' : 'form') }
}
