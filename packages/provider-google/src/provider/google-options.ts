import { type Check, checkOptions, type OptionTable, type Price } from '@genmount/core'
import {
  googleModelName,
  type GoogleModelOptions,
  googleModels,
  type GoogleOptions,
  googleOptions,
} from '@genmount/google-http'
import { type TokenPrices, usagePricer } from '@genmount/vendor-http'
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
export interface GoogleModel extends GoogleModelOptions {
  /**
   * The price in US dollars of each image, or of a million tokens of each kind.
   * @default none: jobs have no known cost
   */
  readonly price?: Price | GoogleTokenPrices | undefined
}

/** The options of `googleProvider`. */
export interface GoogleProviderOptions extends GoogleOptions<GoogleModel> {}

/** The packages for videos, by the beginnings of Google's model names. */
const filmPackages = { 'gemini-omni': 'provider-gemini-omni', veo: 'provider-veo' }

const imageModelName: Check<string> = (name, value) => {
  const model = googleModelName(name, value)
  for (const [beginning, films] of Object.entries(filmPackages))
    if (model.startsWith(beginning))
      throw new TypeError(`${name} must make images; ${model} makes films: use @genmount/${films}.`)
  return model
}

const table = {
  ...googleOptions,
  models: googleModels({
    outputKind: 'image',
    inputFor: imageInput,
    ownParameters,
    typicalMs: 15_000,
    per: 'image',
    price: (name, price) => usagePricer(name, price, tokenKinds),
    modelName: imageModelName,
  }),
} satisfies OptionTable<GoogleProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkGoogleOptions(options: GoogleProviderOptions) {
  return checkOptions('googleProvider', options, table)
}
