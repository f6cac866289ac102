import type { Model } from '@genmount/client'
import { expect, test } from 'vitest'
import { inputSchema } from './input-schema.ts'

function model(id: string, properties: object, required: readonly string[] = ['prompt']): Model {
  return {
    id,
    price: null,
    typical_seconds: null,
    input_schema: { properties, required },
  } as unknown as Model
}

const prompt = { type: 'string', maxLength: 10 }

test('a field about which the models agree is theirs, and of others only what is true of all', () => {
  const { properties } = inputSchema([
    model('a', { prompt, size: { type: 'string', enum: ['1x1'] }, seed: { type: 'integer' } }),
    model('b', { prompt, size: { type: 'string', enum: ['2x2'] }, odd: { $ref: '#/$defs/odd' } }),
  ])
  expect(properties).toMatchObject({
    prompt,
    size: { type: 'string', description: expect.stringContaining('list_models') },
    seed: { type: 'integer', description: 'Only of a.' },
    odd: { description: 'Only of b.' },
    model: { enum: ['a', 'b'] },
  })
  expect(JSON.stringify(properties)).not.toMatch(/\$ref|1x1/)
})

test('a field is required where every model requires it, and the model where there is a choice', () => {
  const one = model('a', { prompt, image: {} }, ['prompt', 'image'])
  expect(inputSchema([one]).required).toEqual(['prompt', 'image'])
  expect(inputSchema([one, model('b', { prompt })]).required).toEqual(['prompt', 'model'])
})

test('hundreds of fields, or of models, do not fill the memory of an agent', () => {
  const fields = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field_${n}`, { type: 'string' }]))
  const models = Array.from({ length: 200 }, (_, n) =>
    model(`model-${n}`, n === 0 ? { prompt, ...fields } : { prompt }),
  )
  const schema = inputSchema(models)
  expect(Object.keys(schema.properties).length).toBeLessThan(50)
  expect(schema.properties).toHaveProperty('prompt')
  expect(JSON.stringify(schema).length).toBeLessThan(10_000)
})

test('a field that has the name of a method of objects belongs only to the models that declare it', () => {
  const odd = { type: 'string' }
  const { properties } = inputSchema([model('a', { prompt, constructor: odd }), model('b', { prompt })])
  expect(Object.entries(properties)).toContainEqual(['constructor', { ...odd, description: 'Only of a.' }])
})
