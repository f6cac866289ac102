import type { Model } from '@genmount/client'
import { expect, test } from 'vitest'
import { fieldsOf } from './fields-of.ts'
import { inputOf, valuesOf } from './input-of.ts'

function model(properties: Readonly<Record<string, object>>, more: Partial<Model> = {}): Model {
  return {
    id: 'a',
    object: 'model',
    created: 0,
    owned_by: 'system',
    output_kind: 'image',
    input_schema: { type: 'object', properties },
    price: null,
    retention_days: 7,
    typical_seconds: null,
    ...more,
  }
}

const link = {
  type: 'string',
  description: 'An http(s) URL, or a data URI with a PNG or JPEG picture in base64.',
}

test.each<[object, string, string]>([
  [{ type: 'string', maxLength: 4000 }, 'prompt', 'text'],
  [{ type: 'string' }, 'style', 'line'],
  [{ enum: ['1:1', '16:9'] }, 'aspect_ratio', 'choice'],
  [{ enum: [1, 2], type: 'integer' }, 'size', 'choice'],
  [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, 'style', 'choice'],
  [{ type: 'boolean' }, 'sound', 'switch'],
  [{ type: ['boolean', 'null'] }, 'sound', 'switch'],
  [{ type: 'number', minimum: 1, maximum: 10 }, 'duration', 'range'],
  [{ type: 'integer', minimum: 0, maximum: 4_294_967_295 }, 'seed', 'seed'],
  [{ type: 'integer', minimum: 0, maximum: 4_294_967_295 }, 'offset', 'number'],
  [{ type: 'number' }, 'strength', 'number'],
  [link, 'image', 'files'],
  [{ type: 'string' }, 'last_frame', 'files'],
  [link, 'control', 'files'],
  [{ anyOf: [link, { type: 'array', items: link, maxItems: 4 }] }, 'image', 'files'],
  [{ $ref: '#/$defs/choice' }, 'mode', 'choice'],
  [{ allOf: [{ $ref: '#/$defs/choice' }], default: 'fast' }, 'mode', 'choice'],
  [{ anyOf: [{ $ref: '#/$defs/choice' }, { type: 'null' }] }, 'mode', 'choice'],
  [{ type: ['string', 'integer', 'null'] }, 'style', 'line'],
  [{ type: 'object' }, 'provider_options', 'json'],
  [{ type: 'array', items: { type: 'number' } }, 'points', 'json'],
  [{ enum: ['png', 'webp'], type: 'string' }, 'image_format', 'choice'],
])('the schema %j of the field %s is asked for as %s', (schema, name, kind) => {
  const { input_schema: root } = model({ [name]: schema })
  const withDefs = { ...root, $defs: { choice: { enum: ['fast', 'good'] } } }
  const [field] = fieldsOf(model({}, { input_schema: withDefs }))
  expect([field?.name, field?.kind]).toEqual([name, kind])
})

test('the form of the playground leaves out a field that can have one value or none', () => {
  expect(fieldsOf(model({ num_outputs: { const: 1 }, provider_options: { not: {} } }))).toEqual([])
})

test('the form of the playground has a prompt for a model that shows no schema', () => {
  expect(fieldsOf(model({}, { input_schema: null })).map(({ name }) => name)).toEqual(['prompt'])
})

test('the playground sends no empty field, and no field that the model does not have', () => {
  const fields = fieldsOf(
    model({ prompt: { type: 'string' }, size: { enum: ['s', 'm'] }, options: { type: 'object' } }),
  )
  const values = { prompt: 'a kite', size: 'xl', seed: 7, options: ' ' }
  expect(inputOf(fields, values)).toEqual({ prompt: 'a kite' })
  expect(inputOf(fields, { options: '{"a":1}' })).toEqual({ options: { a: 1 } })
})

test('the playground sends one file as a text and several as a list, and fills the form with the input of a job', () => {
  const file = (url: string) => ({ key: url, name: url, preview: undefined, url, error: undefined })
  const [one, two] = ['upload://up_1.png', 'https://app.example/2.png']
  const fields = fieldsOf(model({ image: { anyOf: [link, { type: 'array', items: link, maxItems: 2 }] } }))
  expect(inputOf(fields, { image: [file(one)] })).toEqual({ image: one })
  expect(inputOf(fields, { image: [file(one), file(two)] })).toEqual({ image: [one, two] })
  expect(inputOf(fields, valuesOf(fields, { image: [one, two] }))).toEqual({ image: [one, two] })
  const listed = fieldsOf(model({ reference_images: { type: 'array', items: link } }))
  expect(inputOf(listed, { reference_images: [file(one)] })).toEqual({ reference_images: [one] })
})

test('a field that has the name of a method of objects is shown like any other, and has no value before one is typed', () => {
  const [field] = fieldsOf(model({ constructor: { type: 'string' } }))
  expect([field?.label, field?.kind, field?.suggestions]).toEqual(['Constructor', 'line', []])
  expect(inputOf([field!], {})).toEqual({})
  expect(valuesOf([field!], {})).toEqual({})
})
