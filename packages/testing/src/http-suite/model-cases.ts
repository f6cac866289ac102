import assert from 'node:assert/strict'
import { expectError } from './expect-error.ts'
import { expectReadPath } from './expect-read-path.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import { anything, described, quick, quickVideo, suiteLimits } from './suite-jobs.ts'

const modelFields = [
  'id',
  'object',
  'created',
  'owned_by',
  'output_kind',
  'input_schema',
  'price',
  'retention_days',
  'typical_seconds',
]

type WireModel = Readonly<Record<string, unknown>> & { readonly id: string }

async function listed(client: SuiteClient): Promise<readonly WireModel[]> {
  const reply = await client.send({ path: '/v1/models' })
  assert.equal(reply.status, 200, reply.text)
  const { object, data, ...rest } = JSON.parse(reply.text) as { object: string; data: WireModel[] }
  assert.deepEqual([object, rest], ['list', {}])
  return data
}

export const modelCases: Cases = {
  'the list of models has each model once, with the fields that all models have': async (client) => {
    const models = await listed(client)
    const ids = models.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    for (const { model } of [quick, quickVideo, anything, described]) assert(ids.includes(model), model)
    for (const model of models) {
      assert.deepEqual(Object.keys(model), modelFields)
      assert.equal(model['object'], 'model')
      assert(['image', 'video'].includes(model['output_kind'] as string))
      assert(Number.isInteger(model['retention_days']))
      for (const field of ['created', 'owned_by']) assert.notEqual(model[field], null)
    }
  },

  'a model shows its price, its usual duration and the JSON Schema of its input, or null': async (client) => {
    const models = await listed(client)
    const model = models.find(({ id }) => id === described.model)
    assert.deepEqual(model?.['price'], { ...described.price, usd_by: null })
    assert.equal(model?.['typical_seconds'], described.typicalMs / 1000)
    assert.equal(model?.['retention_days'], suiteLimits.retentionDays)
    const schema = model?.['input_schema'] as Readonly<Record<string, unknown>>
    assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema')
    assert.deepEqual(schema['properties'], { prompt: { type: 'string' } })
    assert.deepEqual(schema['required'], ['prompt'])
    const unknown = models.find(({ id }) => id === anything.model)
    assert.equal(unknown?.['price'], null)
    assert.equal(unknown?.['typical_seconds'], null)
    assert.equal(unknown?.['retention_days'], 30)
  },

  'a model is found by its id, with the slash in it percent-encoded or not': async (client) => {
    const models = await listed(client)
    for (const model of models)
      for (const id of [encodeURIComponent(model.id), model.id]) {
        const reply = await client.send({ path: `/v1/models/${id}` })
        assert.equal(reply.status, 200, `${id}: ${reply.text}`)
        assert.deepEqual(JSON.parse(reply.text), model)
      }
  },

  'a model that does not exist is 404 model_not_found': async (client) => {
    for (const id of ['no-such-model', 'suite', 'suite/any', '__proto__', 'toString', '%E0%A4%A', 'a%00b'])
      expectError(await client.send({ path: `/v1/models/${id}` }), 'model_not_found', { status: 404 })
  },

  'the models need a key, and serve GET, HEAD and OPTIONS': async (client) => {
    for (const path of ['/v1/models', `/v1/models/${quick.model}`]) await expectReadPath(client, path)
  },

  'a create with a model that does not exist is still 400 model_not_found': async (client) => {
    const reply = await client.send({ path: '/v1/generate', body: { ...quick, model: 'no-such-model' } })
    expectError(reply, 'model_not_found')
  },
}
