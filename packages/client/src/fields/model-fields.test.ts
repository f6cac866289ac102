import { expect, test } from 'vitest'
import { modelFields } from './model-fields.ts'

const link = { type: 'string', format: 'uri' }
const $defs = {
  ratio: { enum: ['1:1', '16:9'], type: 'string' },
  'a/b~c': { type: 'boolean' },
  endless: { anyOf: [{ $ref: '#/$defs/endless' }, { $ref: '#/$defs/endless' }, { type: 'null' }] },
}
const fieldWith = (schema: unknown) =>
  modelFields({ input_schema: { properties: { size: schema }, $defs } })?.fields.get('size')

test.each<[unknown, object, string[]]>([
  [{ type: 'integer', maximum: 4 }, { type: 'integer', maximum: 4 }, ['integer']],
  [{ type: ['integer', 'null'] }, { type: 'integer' }, ['integer', 'null']],
  [{ type: ['string', 'integer', 'null'] }, { type: ['string', 'integer'] }, ['string', 'integer', 'null']],
  [{ $ref: '#/$defs/ratio', default: '1:1' }, { ...$defs.ratio, default: '1:1' }, ['string']],
  [{ $ref: '#/$defs/a~1b~0c' }, { type: 'boolean' }, ['boolean']],
  [
    { $ref: '#/properties/size/x', x: { type: 'boolean' } },
    { type: 'boolean', x: { type: 'boolean' } },
    ['boolean'],
  ],
  [{ $ref: 'https://example.org/a.json' }, {}, []],
  [{ $ref: '#/$defs/constructor' }, {}, []],
  [{ allOf: [{ $ref: '#/$defs/ratio' }], title: 'Ratio' }, { ...$defs.ratio, title: 'Ratio' }, ['string']],
  [{ anyOf: [{ $ref: '#/$defs/ratio' }, { type: 'null' }] }, $defs.ratio, ['string', 'null']],
  [
    { oneOf: [{ enum: [1, 2.5] }, { type: 'null' }], title: 'A' },
    { enum: [1, 2.5], title: 'A' },
    ['integer', 'number', 'null'],
  ],
  [
    { oneOf: [link, { type: 'array', items: { $ref: '#/$defs/ratio' } }, { type: 'null' }] },
    { anyOf: [link, { type: 'array', items: $defs.ratio }] },
    ['string', 'array', 'null'],
  ],
  [{ const: null }, { const: null }, ['null']],
  [true, {}, []],
  [{ type: 'string', allOf: 'x', anyOf: null }, { type: 'string' }, ['string']],
])('the schema %j of a field is read as %j with the types %j', (given, schema, types) => {
  expect(fieldWith(given)).toEqual({ schemaAsSent: given, schema, types: new Set(types), isRequired: false })
})

test('a schema that refers to itself without end is read in a moment', () => {
  const before = performance.now()
  expect(fieldWith({ $ref: '#/$defs/endless' })?.types).toContain('null')
  expect(performance.now() - before).toBeLessThan(2000)
})

test('the fields of a model are read in the order of its schema, with those that are required', () => {
  const properties = { prompt: {}, constructor: {}, seed: {} }
  const known = modelFields({
    input_schema: { properties, required: ['prompt'], additionalProperties: false },
  })
  expect([...(known?.fields ?? [])].map(([name, { isRequired }]) => [name, isRequired])).toEqual([
    ['prompt', true],
    ['constructor', false],
    ['seed', false],
  ])
  expect(known?.isClosed).toBe(true)
  expect(known?.fields.has('toString')).toBe(false)
})

test.each([null, {}, { properties: null }, { $ref: '#/$defs/input' }])(
  'the fields of a model with the schema %j are not known',
  (input_schema) => {
    expect(modelFields({ input_schema })).toBeUndefined()
  },
)
