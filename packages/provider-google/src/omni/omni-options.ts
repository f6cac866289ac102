import { checkOptions, type OptionTable, type Price } from '@genmount/core'
import { type GoogleOptions, googleOptions } from '../client/google-client.ts'
import { type GoogleModelOptions, googleModels } from '../client/google-models.ts'
import type { TokenPrices } from '@genmount/provider-kit'
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
export interface GeminiOmniModel extends GoogleModelOptions {
  /**
   * The price in US dollars of each second of film, or of a million tokens of each kind.
   * @default none: jobs have no known cost
   */
  readonly price?: Price | GeminiOmniTokenPrices | undefined
}

/** The options of `geminiOmniProvider`. */
export interface GeminiOmniProviderOptions extends GoogleOptions<GeminiOmniModel> {}

const table = {
  ...googleOptions,
  models: googleModels({
    outputKind: 'video',
    inputFor: omniInput,
    ownParameters,
    typicalMs: 60_000,
    per: 'second',
    tokenKinds,
  }),
} satisfies OptionTable<GeminiOmniProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkOmniOptions(options: GeminiOmniProviderOptions) {
  return checkOptions('geminiOmniProvider', options, table)
}
