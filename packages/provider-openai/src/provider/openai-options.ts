import { checkOptions, optional, type OptionTable, type Price, text } from '@genmount/core'
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
import { imageInput, ownParameters } from './image-input.ts'

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
}

/** The options of `openaiProvider`. */
export type OpenaiProviderOptions = HostedOptions<OpenaiModel>

const modelTable = {
  ...modelOptions,
  model: optional(text('the name of a model at OpenAI')),
  allowedProviderOptions: (name, allowed) => checkAllowedOptions(name, allowed, ownParameters),
  price: (name, price) =>
    usagePricer(name, price, ['textInput', 'imageInput', 'imageOutput'], { textOutput: 'imageOutput' }),
} satisfies OptionTable<OpenaiModel>

function offeredModel(options: OpenaiModel, at: string, id: string) {
  const { model = id, price, allowedProviderOptions } = checkOptions(at, options, modelTable)
  const input = modelInput(imageInput(allowedProviderOptions))
  const isCostKnown = options.price !== undefined
  return {
    vendorModel: model,
    outputKind: 'image' as const,
    input,
    typicalMs: 30_000,
    isCostKnown,
    shownPrice: shownUsagePrice(options.price, 'image'),
    costOf: price,
  }
}

const table = {
  ...hostedOptions('OPENAI_API_KEY', 'https://api.openai.com/v1'),
  models: offerModels(offeredModel),
} satisfies OptionTable<OpenaiProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkOpenaiOptions(options: OpenaiProviderOptions) {
  return checkOptions('openaiProvider', options, table)
}
