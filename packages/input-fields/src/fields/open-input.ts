import type { Model, OutputKind } from '@genmount/core'
import * as v from 'valibot'
import { closedInput, onlyWith, requiredUnless } from './closed-input.ts'
import { modelInput } from './model-input.ts'
import { openFieldNames, openFields, usualFields } from './open-fields.ts'
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
}

/** Any of these can stand in for a prompt. */
const inPlaceOfPrompt = ['image', 'video', 'audio', 'reference_images', 'reference_videos']

/**
 * The input of a model in the interface's vocabulary, with wide limits. For models whose own limits are not known here:
 * the vendor decides which values its model accepts.
 */
export function openInput({ at, outputKind, rule, fields, inputs }: OpenInputTraits): Model['input'] {
  const names = openFieldNames.filter(
    (name) => (fields[name] ?? usualFields[outputKind].includes(name)) !== false,
  )
  const entries: v.ObjectEntries = {
    ...Object.fromEntries(names.map((name) => [name, v.optional(openFields[name](mostIn(name, fields)))])),
    ...ownFields(at, inputs),
    provider_options: v.optional(providerOptionsField(rule)),
  }
  const has = (name: string) => name in entries
  const others = [...inPlaceOfPrompt.filter(has), 'provider_options']
  const always = v.check<Readonly<Record<string, unknown>>>(() => true)
  return modelInput(
    v.pipe(
      closedInput(entries),
      has('prompt') ? requiredUnless('prompt', others) : always,
      has('mask') && has('image') ? onlyWith('mask', 'image') : always,
    ),
  )
}
