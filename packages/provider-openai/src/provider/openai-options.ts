import type { Price } from '@genmount/core'
import { checkAllowedOptions, type ProviderOptionsAllowance } from '@genmount/input-fields'
import { type HostedOptions, type ModelOptions, type TokenPrices, usagePricer } from '@genmount/vendor-http'
import { imageInput, ownParameters } from './image-input.ts'

/**
 * US dollars for a million tokens of each kind, as OpenAI's price list has them: of the prompt, of the pictures that are
 * edited, of the images, and of the text that some models think in, which by default has the price of `imageOutput`.
 * @see https://platform.openai.com/docs/pricing
 * @example { textInput: 5, imageInput: 8, imageOutput: 30 }
 */
export type OpenaiTokenPrices = TokenPrices<'textInput' | 'imageInput' | 'imageOutput', 'textOutput'>

/** A model of OpenAI, as the app offers it. */
export interface OpenaiModel extends ModelOptions, ProviderOptionsAllowance {
  /** OpenAI's name of the model. @default the public id */
  readonly model?: string | undefined
  /** US dollars for each image, or for a million tokens of each kind. @default no cost is told */
  readonly price?: Price | OpenaiTokenPrices | undefined
}

export type OpenaiProviderOptions = HostedOptions<OpenaiModel>

/** @throws TypeError that names the option */
export function offeredModel(options: OpenaiModel, at: string, id: string) {
  const { model: vendorModel, price, allowedProviderOptions } = options
  if (vendorModel !== undefined && (typeof vendorModel !== 'string' || vendorModel === ''))
    throw new TypeError(`${at}.model must be OpenAI's name of a model.`)
  const kinds = ['textInput', 'imageInput', 'imageOutput'] as const
  return {
    vendorModel: vendorModel ?? id,
    outputKind: 'image' as const,
    input: imageInput(
      checkAllowedOptions(`${at}.allowedProviderOptions`, allowedProviderOptions, ownParameters),
    ),
    typicalMs: 30_000,
    costOf: usagePricer(`${at}.price`, price, kinds, { textOutput: 'imageOutput' }),
  }
}
