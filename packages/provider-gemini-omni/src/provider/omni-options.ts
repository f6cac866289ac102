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
import { tokenKinds } from '../interaction/interaction-tokens.ts'
import { omniInput, ownParameters } from './omni-input.ts'

/**
 * Prices in US dollars for a million tokens of each kind, as in Google's price list. `input`: the prompt and its
 * pictures. `textOutput`: text in the answer, and thinking. `videoOutput`: the film with its sound.
 * @see https://ai.google.dev/gemini-api/docs/pricing
 * @example { input: 1.5, textOutput: 9, videoOutput: 17.5 }
 */
export type GeminiOmniTokenPrices = TokenPrices<'input' | 'textOutput' | 'videoOutput'>

/** A model of Google that makes films, as the app offers it. */
export interface GeminiOmniModel extends ModelOptions, ProviderOptionsAllowance {
  /** The model's name at Google. @default the public id */
  readonly model?: string | undefined
  /**
   * The price in US dollars of each second of film, or of a million tokens of each kind.
   * @default none: jobs have no known cost
   */
  readonly price?: Price | GeminiOmniTokenPrices | undefined
}

/** The options of `geminiOmniProvider`. */
export interface GeminiOmniProviderOptions extends GoogleOptions<GeminiOmniModel> {}

const modelTable = {
  ...modelOptions,
  model: optional(googleModelName),
  allowedProviderOptions: (name, allowed) => checkAllowedOptions(name, allowed, ownParameters),
  price: (name, price) => usagePricer(name, price, tokenKinds),
} satisfies OptionTable<GeminiOmniModel>

function offeredModel(options: GeminiOmniModel, at: string, id: string) {
  const { price: costOf, allowedProviderOptions: rule, model } = checkOptions(at, options, modelTable)
  return {
    vendorModel: model ?? googleModelName(`${at}.model`, id),
    outputKind: 'video' as const,
    input: modelInput(omniInput(rule)),
    typicalMs: 60_000,
    isCostKnown: options.price !== undefined,
    shownPrice: shownUsagePrice(options.price, 'second'),
    costOf,
  }
}

const table = {
  ...googleOptions,
  models: offerModels(offeredModel),
} satisfies OptionTable<GeminiOmniProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkOmniOptions(options: GeminiOmniProviderOptions) {
  return checkOptions('geminiOmniProvider', options, table)
}
