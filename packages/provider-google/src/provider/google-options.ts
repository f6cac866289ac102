import { checkOptions, optional, type OptionTable, type Price } from '@genmount/core'
import { googleModelName, type GoogleOptions, googleOptions } from '@genmount/google-http'
import { checkAllowedOptions, modelInput, type ProviderOptionsAllowance } from '@genmount/input-fields'
import {
  type ModelOptions,
  modelOptions,
  offerModels,
  shownUsagePrice,
  type TokenPrices,
  usagePricer,
} from '@genmount/vendor-http'
import { tokenKinds } from './content-report.ts'
import { imageInput, ownParameters } from './image-input.ts'

/**
 * Prices in US dollars for a million tokens of each kind, as in Google's price list. `input`: the prompt and its
 * pictures. `textOutput`: text in the answer, and thinking. `imageOutput`: images.
 * @see https://ai.google.dev/gemini-api/docs/pricing
 * @example { input: 0.5, textOutput: 3, imageOutput: 60 }
 */
export type GoogleTokenPrices = TokenPrices<'input' | 'textOutput' | 'imageOutput'>

/** An image model of Google, as the app offers it. */
export interface GoogleModel extends ModelOptions, ProviderOptionsAllowance {
  /** The model's name at Google. @default the public id */
  readonly model?: string | undefined
  /**
   * The price in US dollars of each image, or of a million tokens of each kind.
   * @default none: jobs have no known cost
   */
  readonly price?: Price | GoogleTokenPrices | undefined
}

/** The options of `googleProvider`. */
export interface GoogleProviderOptions extends GoogleOptions<GoogleModel> {}

const modelTable = {
  ...modelOptions,
  model: optional(googleModelName),
  allowedProviderOptions: (name, allowed) => checkAllowedOptions(name, allowed, ownParameters),
  price: (name, price) => usagePricer(name, price, tokenKinds),
} satisfies OptionTable<GoogleModel>

/** The packages for films, by how the names of their models begin at Google. */
const filmPackages = { 'gemini-omni': 'provider-gemini-omni', veo: 'provider-veo' }

function offeredModel(options: GoogleModel, at: string, id: string) {
  const { price: costOf, allowedProviderOptions: rule, model } = checkOptions(at, options, modelTable)
  const vendorModel = model ?? googleModelName(`${at}.model`, id)
  for (const [beginning, films] of Object.entries(filmPackages))
    if (vendorModel.startsWith(beginning))
      throw new TypeError(`${at}.model must make images; ${vendorModel} makes films: use @genmount/${films}.`)
  return {
    vendorModel,
    outputKind: 'image' as const,
    input: modelInput(imageInput(rule)),
    typicalMs: 15_000,
    isCostKnown: options.price !== undefined,
    shownPrice: shownUsagePrice(options.price, 'image'),
    costOf,
  }
}

const table = {
  ...googleOptions,
  models: offerModels(offeredModel),
} satisfies OptionTable<GoogleProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkGoogleOptions(options: GoogleProviderOptions) {
  return checkOptions('googleProvider', options, table)
}
