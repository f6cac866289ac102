import type { Model, OutputKind } from '@genmount/core'
import * as v from 'valibot'
import { closedInput, onlyWith, requiredUnless } from './closed-input.ts'
import { modelInput } from './model-input.ts'
import { type FieldLimits, limitedField } from './field-limits.ts'
import { type OpenFieldName, openFieldNames, usualFields } from './open-fields.ts'
import { ownFields, type OwnInputs } from './own-inputs.ts'
import { providerOptionsField, type ProviderOptionsRule } from './provider-options.ts'
import { mostIn, type VendorFields } from './vendor-fields.ts'

/** What decides which fields the input of a model has. */
export interface OpenInputTraits {
  /** The option that holds the model, for error messages. */
  readonly at: string
  readonly outputKind: OutputKind
  /** The `provider_options` that clients may set. */
  readonly rule: ProviderOptionsRule
  /** Which fields the model has beside the usual ones, and which of these it lacks. */
  readonly fields: VendorFields
  /** The operator's own fields. */
  readonly inputs: OwnInputs
  /** What the model accepts in its fields. @default what the interface accepts */
  readonly limits?: FieldLimits
  /** The fields that every job must have. @default a prompt, or something that can stand in for it */
  readonly required?: readonly OpenFieldName[] | undefined
}

/** Any of these can stand in for a prompt. */
const inPlaceOfPrompt = ['image', 'video', 'audio', 'reference_images', 'reference_videos']

/**
 * The input of a model in the interface's vocabulary. Where the model's own limits are not given, they are wide: the
 * vendor decides which values its model accepts.
 */
export function openInput(traits: OpenInputTraits): Model['input'] {
  const { at, outputKind, rule, fields, inputs, limits = {}, required } = traits
  const names = openFieldNames.filter(
    (name) => (fields[name] ?? usualFields[outputKind].includes(name)) !== false,
  )
  const lacking = required?.find((name) => !names.includes(name))
  if (lacking !== undefined) throw new TypeError(`${at}.required names ${lacking}, which this model lacks.`)
  const fieldOf = (name: OpenFieldName) => {
    const field = limitedField(name, mostIn(name, fields), limits)
    return required?.includes(name) ? field : v.optional(field)
  }
  const entries: v.ObjectEntries = {
    ...Object.fromEntries(names.map((name) => [name, fieldOf(name)])),
    ...ownFields(at, inputs),
    provider_options: v.optional(providerOptionsField(rule)),
  }
  const has = (name: string) => name in entries
  const others = [...inPlaceOfPrompt.filter(has), ...(rule.allowed.length > 0 ? ['provider_options'] : [])]
  const always = v.check<Readonly<Record<string, unknown>>>(() => true)
  return modelInput(
    v.pipe(
      closedInput(entries),
      has('prompt') && !required ? requiredUnless('prompt', others) : always,
      has('mask') && has('image') ? onlyWith('mask', 'image') : always,
    ),
  )
}
