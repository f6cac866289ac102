import {
  checkOptions,
  type JsonObject,
  optional,
  type OptionTable,
  type Price,
  text,
  endOf,
} from '@genmount/core'
import {
  checkAllowedOptions,
  modelInput,
  type ModelOptions,
  modelOptions,
  type OpenModelOptions,
  ownInputs,
  type ProviderOptionsAllowance,
  type TokenPrices,
  usagePricer,
} from '@genmount/provider-kit'
import { checkFixedParameters, imageInput, ownParameters } from './image-input.ts'
import { modelEnds } from './model-ends.ts'

/**
 * Prices in US dollars for a million tokens of each kind, as in OpenAI's price list. `textInput`: the prompt.
 * `imageInput`: the pictures that are edited. `imageOutput`: the images. `textOutput`: the text in which some models
 * think; without this price, such tokens cost as much as `imageOutput`.
 * @see https://platform.openai.com/docs/pricing
 * @example { textInput: 5, imageInput: 8, imageOutput: 30 }
 */
export type OpenaiTokenPrices = TokenPrices<'textInput' | 'imageInput' | 'imageOutput', 'textOutput'>

/** A GPT Image model of OpenAI, as the app offers it. */
export interface OpenaiModel extends ModelOptions, ProviderOptionsAllowance {
  /** The model's name at OpenAI. @default the public id */
  readonly model?: string | undefined
  /**
   * The price in US dollars of each image, or of a million tokens of each kind.
   * @default none: jobs have no known cost
   */
  readonly price?: Price | OpenaiTokenPrices | undefined
  /**
   * Further fields of the model, each with a Standard Schema that validates synchronously. They are validated, and sent to
   * OpenAI as parameters under their own names.
   * @default none
   * @example { frame_count: z.number().int().min(2).max(16) }
   */
  readonly inputs?: OpenModelOptions['inputs']
  /**
   * Parameters of every request for this model, as OpenAI names them. They override the parameters of clients. A fixed
   * `size`, `quality` or `output_format` leaves its field out of the model's input.
   * @default none
   * @example { moderation: 'low', quality: 'high' }
   */
  readonly providerOptions?: JsonObject | undefined
}

/** The checks of an `OpenaiModel`, for the table of the options of a provider's models. */
export const openaiModelOptions = {
  ...modelOptions,
  model: optional(text('the name of a model at OpenAI')),
  allowedProviderOptions: (name, allowed) => checkAllowedOptions(name, allowed, ownParameters),
  price: (name, price) =>
    usagePricer(name, price, ['textInput', 'imageInput', 'imageOutput'], { textOutput: 'imageOutput' }),
  inputs: ownInputs.check,
  providerOptions: checkFixedParameters,
} satisfies OptionTable<OpenaiModel>

/** What a provider needs to know about a GPT Image model. */
export type OfferedImageModel = ReturnType<typeof offeredImageModel>

/**
 * Checks the options of a model, and makes its input from them.
 * @param maxOutputs how many images one job may make
 * @throws TypeError that names the option
 */
export function offeredImageModel(options: OpenaiModel, at: string, id: string, maxOutputs: number) {
  const checked = checkOptions(at, options, openaiModelOptions)
  const { model = id, price, inputs, providerOptions: fixed, allowedProviderOptions } = checked
  const twin = Object.keys(inputs).find((name) => [...ownParameters, ...Object.keys(fixed)].includes(name))
  if (twin !== undefined)
    throw new TypeError(`${at}.inputs can't have ${twin}, which this model uses for something else.`)
  const own = [...ownParameters, ...Object.keys(inputs)]
  const rule = checkAllowedOptions(`${at}.allowedProviderOptions`, allowedProviderOptions.allowed, own)
  return {
    vendorModel: model,
    fixed,
    outputKind: 'image' as const,
    input: modelInput(imageInput({ at, rule, fixed, inputs, maxOutputs })),
    typicalMs: 30_000,
    isCostKnown: options.price !== undefined,
    shownPrice: price.modelPrice('image'),
    costOf: price.costOf,
    end: endOf(modelEnds, model),
  }
}
