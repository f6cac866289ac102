import { type CheckedOptions, choice, type Model, type OptionTable, type OutputKind } from '@genmount/core'
import { type ModelOptions, modelOptions } from '../options/offer-models.ts'
import { checkFieldLimits, checkRequired, type FieldLimits } from './field-limits.ts'
import type { OpenFieldName } from './open-fields.ts'
import { openInput } from './open-input.ts'
import { checkOwnInputs, type OwnInputs } from './own-inputs.ts'
import { checkAllowedOptions, type ProviderOptionsAllowance } from './provider-options.ts'
import { checkVendorFields, namesAtVendor, type VendorFields } from './vendor-fields.ts'

/** The options of every model, and of its input in the interface's vocabulary. */
export interface OpenModelOptions extends ModelOptions, ProviderOptionsAllowance {
  /** Whether the model makes images or videos. */
  readonly outputKind: OutputKind
  /**
   * Which fields of the interface the model has, and how the vendor calls them.
   * @default the fields of most models, under their own names
   * @example { image: 'image_urls[4]', last_frame: 'end_image_url', sound: 'generate_audio', seed: false }
   */
  readonly fields?: VendorFields | undefined
  /**
   * Further fields of the model, each with a Standard Schema that validates synchronously. They are validated, sent to the
   * vendor under their own names, and shown to clients where the schema gives a JSON Schema.
   * @default none
   * @example { lora_strength: z.number().min(0).max(2) }
   */
  readonly inputs?: OwnInputs | undefined
  /**
   * What the model accepts in its fields, so that clients see it, and anything else is refused before it is sent.
   * @default what the interface accepts; the vendor refuses what its model does not take
   * @example { aspect_ratio: ['16:9', '9:16'], duration: [5, 10], prompt: { max: 2500 } }
   */
  readonly limits?: FieldLimits | undefined
  /**
   * The fields without which the model can't make anything.
   * @default `prompt`, unless a picture, a film, a recording or `provider_options` is given
   * @example ['prompt', 'image']
   */
  readonly required?: readonly OpenFieldName[] | undefined
}

/** The checks of the {@link OpenModelOptions}, for the table of the options of a provider's models. */
export const openModelOptions = {
  ...modelOptions,
  /** Checks `outputKind`. */
  outputKind: choice('image', 'video'),
  /** Checks `fields`. */
  fields: checkVendorFields,
  /** Checks `inputs`. */
  inputs: checkOwnInputs,
  /** Checks `limits`. */
  limits: checkFieldLimits,
  /** Checks `required`. */
  required: checkRequired,
  /** Checks `allowedProviderOptions`. */
  allowedProviderOptions: checkAllowedOptions,
} satisfies OptionTable<OpenModelOptions>

/** What a provider needs of such a model. */
export interface OpenModel {
  /** What clients may give, with its JSON Schema. */
  readonly input: Model['input']
  /** The names for `vendorInput`. */
  readonly fields: VendorFields
}

/**
 * Makes the input of a model from its checked options.
 * @param at the option that holds the model, for error messages
 * @param usual how most models of the vendor call the fields. @default by their own names
 * @param reserved parameters of the vendor that nobody may set. @default none
 * @throws TypeError that names the option, when the options contradict each other
 */
export function openModel(
  at: string,
  options: Omit<CheckedOptions<typeof openModelOptions>, keyof ModelOptions>,
  usual: VendorFields = {},
  reserved: readonly string[] = [],
): OpenModel {
  const { outputKind, inputs, limits, required, allowedProviderOptions } = options
  const fields = { ...usual, ...options.fields }
  const taken = [...namesAtVendor(`${at}.fields`, fields), ...reserved]
  const twin = Object.keys(inputs).find((name) => taken.includes(name))
  if (twin !== undefined)
    throw new TypeError(`${at}.inputs can't have ${twin}, which this model uses for something else.`)
  const own = [...taken, ...Object.keys(inputs)]
  const rule = checkAllowedOptions(`${at}.allowedProviderOptions`, allowedProviderOptions.allowed, own)
  return { fields, input: openInput({ at, outputKind, rule, fields, inputs, limits, required }) }
}
