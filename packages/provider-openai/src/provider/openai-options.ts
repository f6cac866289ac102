import type { Price } from '@genmount/core'
import { checkAllowedOptions, type ProviderOptionsAllowance } from '@genmount/input-fields'
import { type HostedOptions, type ModelOptions, type TokenPrices, usagePricer } from '@genmount/vendor-http'
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

/** @throws TypeError that names the option */
export function offeredModel(options: OpenaiModel, at: string, id: string) {
  const { model: vendorModel, price, allowedProviderOptions } = options
  if (vendorModel !== undefined && (typeof vendorModel !== 'string' || vendorModel === ''))
    throw new TypeError(`${at}.model must be the name of a model at OpenAI.`)
  const kinds = ['textInput', 'imageInput', 'imageOutput'] as const
  return {
    vendorModel: vendorModel ?? id,
    outputKind: 'image' as const,
    input: imageInput(
      checkAllowedOptions(`${at}.allowedProviderOptions`, allowedProviderOptions, ownParameters),
    ),
    typicalMs: 30_000,
    isCostKnown: price !== undefined,
    costOf: usagePricer(`${at}.price`, price, kinds, { textOutput: 'imageOutput' }),
  }
}
