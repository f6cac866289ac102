import type { Model } from '@genmount/core'
import { expect, test } from 'vitest'
import { modelFields } from './model-fields.ts'

/** A model that shows this JSON Schema. */
function modelWith(schema: Record<string, unknown>): Model {
  const standard = { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } as const
  const jsonSchema = { input: () => schema, output: () => schema }
  return {
    id: 'm',
    outputKind: 'image',
    input: { '~standard': { ...standard, jsonSchema } } as Model['input'],
  }
}

const ratio = { type: 'string', enum: ['1:1', '16:9'] }

test.each([
  ['its own', { properties: { aspect_ratio: ratio } }],
  ['a reference', { properties: { aspect_ratio: { $ref: '#/$defs/ratio' } }, $defs: { ratio } }],
  ['a choice with null', { properties: { aspect_ratio: { anyOf: [ratio, { type: 'null' }] } } }],
  [
    'parts of the schema',
    { allOf: [{ properties: { prompt: {} } }, { properties: { aspect_ratio: ratio } }] },
  ],
  [
    'a reference in a part',
    { allOf: [{ properties: { aspect_ratio: { $ref: '#/$defs/ratio' } } }], $defs: { ratio } },
  ],
])('the choices of a field are known from %s', (_what, schema) => {
  const field = modelFields(modelWith(schema))?.get('aspect_ratio')
  expect(field).toMatchObject({ choices: ['1:1', '16:9'], takesText: true, takesNumber: false })
})

test('the limits of numbers and lists are known, and a model without a schema of fields has none', () => {
  const properties = {
    width: { type: 'integer', minimum: 64, maximum: 1024, multipleOf: 64 },
    images: { anyOf: [{ type: 'string' }, { type: 'array', maxItems: 3, items: { type: 'string' } }] },
    steps: { oneOf: [{ const: 4 }, { const: 8 }] },
  }
  const fields = modelFields(modelWith({ properties }))
  expect(fields?.get('width')).toMatchObject({
    minimum: 64,
    maximum: 1024,
    multipleOf: 64,
    takesNumber: true,
  })
  expect(fields?.get('images')).toMatchObject({ takesText: true, list: { maxItems: 3 } })
  expect(fields?.get('steps')).toMatchObject({ choices: [4, 8], takesNumber: true, takesText: false })
  expect(modelFields(modelWith({}))).toBeUndefined()
})
