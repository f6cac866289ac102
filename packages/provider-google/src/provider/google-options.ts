import { type Check, checkOptions, type OptionTable, type Price } from '@genmount/core'
import { googleModelName, type GoogleOptions, googleOptions } from '../client/google-client.ts'
import { type GoogleModelOptions, googleModels } from '../client/google-models.ts'
import type { TokenPrices } from '@genmount/provider-kit'
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

/** What to do instead, by the beginnings of the names of Google's models that make films. */
const filmModels = {
  'gemini-omni': 'use geminiOmniProvider of @genmount/provider-google/omni',
  veo: 'Google has ended it; @genmount/provider-fal and @genmount/provider-replicate have Veo',
}

const imageModelName: Check<string> = (name, value) => {
  const model = googleModelName(name, value)
  for (const [beginning, instead] of Object.entries(filmModels))
    if (model.startsWith(beginning))
      throw new TypeError(`${name} must make images; ${model} makes films: ${instead}.`)
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
    tokenKinds,
    modelName: imageModelName,
  }),
} satisfies OptionTable<GoogleProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkGoogleOptions(options: GoogleProviderOptions) {
  return checkOptions('googleProvider', options, table)
}
