import type { Model } from '@genmount/core'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'

/**
 * Makes the `input` of a model from a valibot schema: it validates as the schema does, and gives clients a JSON Schema
 * of it (Standard JSON Schema). A rule that JSON Schema can't express, such as `requiredUnless`, is left out there.
 * @example modelInput(closedInput({ prompt: textField('prompt', 4000) }))
 */
export function modelInput(schema: v.GenericSchema<unknown, object>): Model['input'] {
  const { jsonSchema, ...standard } = toStandardJsonSchema(schema)['~standard']
  type Options = Parameters<typeof jsonSchema.input>[0]
  const withoutRules = ({ target }: Options) => ({ target, libraryOptions: { errorMode: 'ignore' } })
  const input = {
    '~standard': {
      ...standard,
      jsonSchema: {
        input: (options: Options) => jsonSchema.input(withoutRules(options)),
        output: (options: Options) => jsonSchema.output(withoutRules(options)),
      },
    },
  }
  return input
}
