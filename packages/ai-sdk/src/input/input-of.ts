import type { SharedV4ProviderOptions, SharedV4Warning } from '@ai-sdk/provider'
import type { ModelField } from '@genmount/client/model-fields'
import type { Fields } from './field-reader.ts'

/** The input of a job, made from a call of the AI SDK. */
export interface MadeInput {
  readonly input: Readonly<Record<string, unknown>>
  /** The settings that the model does not support, as warnings of the AI SDK. */
  readonly warnings: SharedV4Warning[]
}

/** A setting of a call of the AI SDK. */
export interface Setting {
  /** The name of the setting in the AI SDK. */
  readonly feature: string
  /**
   * The fields that the setting can become. The first entry whose fields the model has is used. A field without a value
   * does not count.
   */
  readonly choices: readonly Readonly<Record<string, unknown>>[]
}

/**
 * Makes the input of a job. A setting for which the model has no field, or whose value is none of the field's choices,
 * is omitted with a warning, as in the AI SDK. The entries of `providerOptions.genmount` become fields unchanged, and win
 * over the settings.
 * @param fields the model's fields; `undefined` when they are not known. The first choice is used then
 */
export function inputOf(
  settings: readonly Setting[],
  fields: Fields | undefined,
  providerOptions: SharedV4ProviderOptions,
): MadeInput {
  const input: Record<string, unknown> = {}
  const warnings: SharedV4Warning[] = []
  for (const { feature, choices } of settings) {
    const complete = choices.filter((choice) => Object.values(choice).every((value) => value !== undefined))
    const taken = complete.find((choice) => fields === undefined || takesAll(fields, choice))
    if (taken) Object.assign(input, taken)
    else if (complete.length > 0)
      warnings.push({ type: 'unsupported', feature, details: whyNot(complete, fields) })
  }
  return { input: { ...input, ...providerOptions['genmount'] }, warnings }
}

function takesAll(fields: Fields, choice: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(choice).every(([name, value]) => takes(fields.get(name), value))
}

/** Whether the model has the field, and the value is one of its choices. */
function takes(field: ModelField | undefined, value: unknown): boolean {
  return field !== undefined && (field.schema.enum?.includes(value) ?? true)
}

function whyNot(complete: Setting['choices'], fields: Fields | undefined): string {
  const choicesOf = (name: string) => fields?.get(name)?.schema.enum
  const refused = complete.flatMap((choice) => Object.keys(choice)).find(choicesOf)
  if (refused === undefined) return 'The model has no field that takes it.'
  return `The model's ${refused} must be one of ${choicesOf(refused)?.join(', ')}.`
}
