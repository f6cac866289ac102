import { type Check, checkObject } from '@genmount/core'
import * as v from 'valibot'
import { openFieldNames } from './open-fields.ts'

/** The result of a field's schema for a value. */
export interface FieldVerdict {
  /** The value as it is sent to the vendor, if it is valid. */
  readonly value?: unknown
  /** The errors in the value. */
  readonly issues?: readonly FieldIssue[] | undefined
}

/** One error in a value. */
export interface FieldIssue {
  /** The error in words for clients. */
  readonly message: string
  /** The place of the error within the value. @default the value itself */
  readonly path?: readonly (PropertyKey | FieldPathSegment)[] | undefined
}

/** A step on the way to a part of a value, in the long form of Standard Schema. */
export interface FieldPathSegment {
  /** The key of the part in the object or list that has it. */
  readonly key: PropertyKey
}

/** The schema of one field: a Standard Schema, such as one of valibot, zod or arktype, that validates synchronously. */
export interface FieldSchema {
  /** The property that makes it a Standard Schema, see https://standardschema.dev. */
  readonly '~standard': {
    /** The version of Standard Schema. */
    readonly version: 1
    /** The library that has made the schema. */
    readonly vendor: string
    /** Returns the field's value for the vendor, or the errors in it. */
    readonly validate: (value: unknown) => FieldVerdict | Promise<FieldVerdict>
  }
}

/** The fields that an operator adds to the input of a model. */
export type OwnInputs = Readonly<Record<string, FieldSchema>>

/** Checks the option `inputs` of a model. @throws TypeError that names the option and the field */
export const checkOwnInputs: Check<OwnInputs> = (name, inputOptions = {}) => {
  const inputs = checkObject(name, inputOptions, ' such as { lora_strength: v.number() }')
  for (const [field, schema] of Object.entries(inputs)) {
    if (!/^[A-Za-z]\w*$/.test(field) || [...openFieldNames, 'model', 'provider_options'].includes(field))
      throw new TypeError(
        `${name} can't have ${field}: a field needs a name of letters, digits and _ that no field of the interface has. To say how the vendor calls a field of the interface, use fields.`,
      )
    if (typeof (schema as Partial<FieldSchema> | undefined)?.['~standard']?.validate !== 'function')
      throw new TypeError(
        `${name}.${field} must be a Standard Schema, such as one of valibot, zod or arktype, not ${typeof schema}.`,
      )
    answerOf(`${name}.${field}`, schema as FieldSchema, undefined)
  }
  return inputs as OwnInputs
}

/**
 * The valibot schema of a field that an operator has added. Its JSON Schema is that of the operator's schema.
 * @param at the option that has the schema, for error messages
 */
function ownField(at: string, name: string, schema: FieldSchema) {
  const absent = answerOf(at, schema, undefined)
  const field = v.pipe(
    v.unknown(),
    // The JSON Schema describes what clients send, which is the part of a schema before its first transformation.
    v.metadata(jsonSchemaOf(schema)),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const { value } = dataset
      // The value for an absent field comes from the schema and is not validated a second time.
      const isDefault = !absent.issues && value === absent.value
      const answer = isDefault ? { value } : answerOf(at, schema, value)
      for (const issue of answer.issues ?? []) addIssue({ message: messageOf(name, issue) })
      return answer.issues ? NEVER : answer.value
    }),
  )
  return absent.issues ? field : v.optional(field, absent.value)
}

/**
 * The valibot schemas of the fields that an operator has added to a model.
 * @param at the option that holds the model, for error messages
 */
export function ownFields(at: string, inputs: OwnInputs) {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, schema]) => [name, ownField(`${at}.inputs.${name}`, name, schema)]),
  )
}

/** The fields that an operator adds to the input of a model, for a provider whose models do not use `openModel`. */
export const ownInputs = {
  /** Checks the option `inputs` of a model. */
  check: checkOwnInputs,
  /** The entries for `closedInput`. */
  fields: ownFields,
}

function messageOf(name: string, { message, path = [] }: FieldIssue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part))
  return `${[name, ...keys].join('.')}: ${message}`
}

function answerOf(at: string, schema: FieldSchema, value: unknown): FieldVerdict {
  const answer = schema['~standard'].validate(value)
  if ('then' in answer)
    throw new TypeError(`${at} must validate synchronously, but its schema is asynchronous.`)
  return answer
}

/** The JSON Schema that clients see of the field: `{}` if the schema has none, or refers to parts of itself. */
function jsonSchemaOf(schema: FieldSchema): Readonly<Record<string, unknown>> {
  const { jsonSchema } = schema['~standard'] as {
    readonly jsonSchema?: { input(options: { readonly target: string }): Record<string, unknown> }
  }
  try {
    const { $schema: _, ...shown } = jsonSchema?.input({ target: 'draft-2020-12' }) ?? {}
    return JSON.stringify(shown).includes('"$ref"') ? {} : shown
  } catch {
    return {}
  }
}
