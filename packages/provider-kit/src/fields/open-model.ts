import {
  type CheckedOptions,
  choice,
  type JsonObject,
  type Model,
  type OptionTable,
  type OutputKind,
} from '@genmount/core'
import { type ModelOptions, modelOptions } from '../options/offer-models.ts'
import { withBareFiles } from './bare-files.ts'
import { checkFieldLimits, checkRequired, type FieldLimits } from './field-limits.ts'
import type { OpenFieldName } from './open-fields.ts'
import { openInput } from './open-input.ts'
import { checkOwnInputs, type OwnInputs } from './own-inputs.ts'
import { checkAllowedOptions, type ProviderOptionsAllowance } from './provider-options.ts'
import {
  checkVendorFields,
  namesAtVendor,
  type VendorFields,
  vendorInput,
  withoutFixed,
} from './vendor-fields.ts'

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

/** What the vendor of a model decides about its input. */
export interface VendorTraits {
  /** How most models of the vendor call the fields. @default by their own names */
  readonly usual?: VendorFields | undefined
  /** Parameters of the vendor that nobody may set. @default none */
  readonly reserved?: readonly string[] | undefined
  /**
   * Parameters of the vendor that the operator fixes for all jobs. A field that would set one of them is refused.
   * @default none
   */
  readonly fixed?: readonly string[] | undefined
  /** Whether the vendor accepts files as URLs and as bare base64, but not as data URIs. @default false */
  readonly takesBareFiles?: boolean | undefined
}

/** What a provider needs of such a model. */
export interface OpenModel {
  /** What clients may give, with its JSON Schema. */
  readonly input: Model['input']
  /** Which fields the model has, and how the vendor calls them. */
  readonly fields: VendorFields
  /**
   * Translates a job's input for the vendor. `provider_options` go to the vendor unchanged, but the interface's own
   * fields win over them. Fields that go into the same list follow each other there.
   * @returns `undefined` when a function of the app fails, or the model lacks a field. It does not throw, because a
   *   throw during a submit means that the vendor may have received the task
   */
  vendorInput(input: JsonObject): JsonObject | undefined
}

/**
 * Makes the input of a model from its checked options.
 * @param at the option that holds the model, for error messages
 * @throws TypeError that names the option, when the options contradict each other
 */
export function openModel(
  at: string,
  options: Omit<CheckedOptions<typeof openModelOptions>, keyof ModelOptions>,
  { usual = {}, reserved = [], fixed = [], takesBareFiles = false }: VendorTraits = {},
): OpenModel {
  const { outputKind, inputs, limits, required, allowedProviderOptions } = options
  const fields = withoutFixed({ ...usual, ...options.fields }, fixed)
  const taken = [...namesAtVendor(`${at}.fields`, fields), ...reserved]
  const twin = Object.keys(inputs).find((name) => taken.includes(name))
  if (twin !== undefined)
    throw new TypeError(`${at}.inputs can't have ${twin}, which this model uses for something else.`)
  const own = [...taken, ...Object.keys(inputs)]
  const rule = checkAllowedOptions(`${at}.allowedProviderOptions`, allowedProviderOptions.allowed, own)
  const ours = openInput({ at, outputKind, rule, fields, inputs, limits, required })
  return {
    fields,
    input: ours,
    vendorInput: (input) => vendorInput(takesBareFiles ? withBareFiles(input) : input, fields),
  }
}
