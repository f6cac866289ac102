import { modelFields } from '@genmount/client/model-fields'
import { expect, test } from 'vitest'
import { fieldValue } from './field-value.ts'

const fieldWith = (schema: object) =>
  modelFields({ input_schema: { properties: { size: schema } } })?.fields.get('size')

test.each<[object | undefined, string, unknown]>([
  [{ type: 'string' }, '7', '7'],
  [{ type: 'string' }, 'true', 'true'],
  [{ type: 'integer' }, '7', 7],
  [{ type: 'number' }, '7', 7],
  [{ type: 'number' }, '0.5', 0.5],
  [{ type: 'boolean' }, 'false', false],
  [{ type: 'array' }, '["a", 1]', ['a', 1]],
  [{ type: 'object' }, '{"a":1}', { a: 1 }],
  [{ type: ['string', 'null'] }, 'null', null],
  [{ enum: ['1:1', '16:9'] }, '16:9', '16:9'],
  [{ enum: [256, 512] }, '512', 512],
  [{ const: true }, 'true', true],
  [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, '[1]', [1]],
  [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, '[1', '[1'],
  [{}, '7', 7],
  [undefined, 'a b', 'a b'],
])('for a field %j the text %s is %j', (schema, text, value) => {
  expect(fieldValue('field', text, schema && fieldWith(schema))).toEqual(value)
})

test.each<[object, string, string]>([
  [{ type: 'integer' }, '0.5', '--field size takes a whole number, not "0.5".'],
  [{ type: 'number' }, 'x', '--field size takes a number, not "x".'],
  [{ type: 'boolean' }, 'yes', '--field size takes true or false, not "yes".'],
  [{ type: 'constructor' }, 'a', '--field size takes constructor, not "a".'],
  [{ type: 'array' }, 'a', '--field size takes a list in JSON, such as [1, 2], not "a".'],
])('for a field %j the text %s is refused', (schema, text, message) => {
  expect(() => fieldValue('size', text, fieldWith(schema))).toThrow(message)
})
