import { createGenerationService, type Model } from '@genmount/core'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { setUp } from '../test-kit/set-up.ts'

/** The interface over a service with these models. */
function offering(models: readonly Model[]) {
  const provider = { ...fakeProvider(), models }
  const service = createGenerationService({ providers: [provider], log: quietLog(), retentionDays: 5 })
  return setUp({ service })
}

const input = z.strictObject({ prompt: z.string().max(9), size: z.enum(['1K', '2K']).default('1K') })
const priced: Model = {
  id: 'acme/flux.1-pro',
  outputKind: 'image',
  description: 'Paints.',
  input,
  retentionDays: 30,
  typicalMs: 2500,
  price: { text: '0.04 USD per image', per: 'image', usd: 0.04 },
}
const bare: Model = { id: 'bare', outputKind: 'video', input: withoutJsonSchema() }

function withoutJsonSchema(): Model['input'] {
  const { version, vendor, validate } = input['~standard']
  return { '~standard': { version, vendor, validate } }
}

test('GET /v1/models lists what the provider says of each model, and null for the rest', async () => {
  const { ask } = offering([priced, bare])
  const { status, headers, json } = await ask('GET /m/v1/models')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json')
  expect(json).toEqual({
    object: 'list',
    data: [
      {
        id: 'acme/flux.1-pro',
        object: 'model',
        created: 0,
        owned_by: 'system',
        output_kind: 'image',
        input_schema: {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          type: 'object',
          properties: {
            prompt: { type: 'string', maxLength: 9 },
            size: { type: 'string', enum: ['1K', '2K'], default: '1K' },
          },
          required: ['prompt'],
          additionalProperties: false,
        },
        price: { text: '0.04 USD per image', per: 'image', usd: 0.04, usd_by: null },
        retention_days: 30,
        typical_seconds: 2.5,
        description: 'Paints.',
      },
      {
        id: 'bare',
        object: 'model',
        created: 0,
        owned_by: 'system',
        output_kind: 'video',
        input_schema: null,
        price: null,
        retention_days: 5,
        typical_seconds: null,
      },
    ],
  })
})

test('GET /v1/models says when a model ends and what to use instead, and leaves it out after its last day', async () => {
  const clock = manualClock(Date.parse('2026-12-01T23:59:00Z'))
  const ending: Model = { ...bare, id: 'older', end: { on: '2026-12-01', replacement: 'bare' } }
  const provider = { ...fakeProvider({ clock }), models: [ending, bare] }
  const service = createGenerationService({ providers: [provider], clock, log: quietLog() })
  const { ask } = setUp({ service })
  const listed = async () =>
    ((await ask('GET /m/v1/models')).json as { data: { id: string; ends?: object }[] }).data.map(
      ({ id, ends }) => [id, ends],
    )
  const older = ['older', { on: '2026-12-01', replacement: 'bare' }]
  expect(await listed()).toEqual([older, ['bare', undefined]])
  await clock.advance(60_000)
  expect(await listed()).toEqual([['bare', undefined]])
  expect((await ask('GET /m/v1/models/older')).status).toBe(404)
  await service.close()
})

test('a schema that JSON Schema can not express is null in the list of models, and the other models stay', async () => {
  const { ask } = offering([{ ...bare, input: z.object({ at: z.date() }) }, priced])
  const { json } = await ask('GET /m/v1/models')
  expect(json.data.map((model: { input_schema: unknown }) => typeof model.input_schema)).toEqual([
    'object',
    'object',
  ])
  expect(json.data[0].input_schema).toBeNull()
})

test('GET /v1/models/{id} gives one model, whether the slashes of its id are encoded or not', async () => {
  const { ask } = offering([priced, bare])
  const { data } = (await ask('GET /m/v1/models')).json
  for (const id of ['acme/flux.1-pro', 'acme%2Fflux.1-pro', 'acme%2fflux%2E1-pro', 'acme/flux.1-pro?a=b']) {
    const { status, json } = await ask(`GET /m/v1/models/${id}`)
    expect(status, id).toBe(200)
    expect(json).toEqual(data[0])
  }
})

test('an unknown model is 404 model_not_found in GET /v1/models/{id}, and 400 in a create', async () => {
  const { ask } = offering([priced])
  for (const id of ['bare', 'acme', 'acme%2', '%E0%A4%A', '__proto__', 'flux.1-pro', 'acme/flux.1-pro/x']) {
    const { status, json } = await ask(`GET /m/v1/models/${id}`)
    expect([status, json.error.code], id).toEqual([404, 'model_not_found'])
  }
  const { status, json } = await ask('POST /m/v1/generate', { model: 'bare', prompt: 'a' })
  expect([status, json.error.code]).toEqual([400, 'model_not_found'])
})

test('the JSON Schemas of models are made once, however often the models are read', async () => {
  let asked = 0
  const standard = {
    ...input['~standard'],
    jsonSchema: { input: () => ({ type: 'object', asked: ++asked }), output: () => ({}) },
  }
  const { ask } = offering([{ ...priced, input: { '~standard': standard } as Model['input'] }])
  for (const path of ['models', 'models/acme%2Fflux.1-pro', 'models', 'openapi.json', 'openapi.json'])
    expect((await ask(`GET /m/v1/${path}`)).status).toBe(200)
  expect(asked).toBe(1)
})

test('GET /v1/models, GET /v1/models/{id} and the OpenAPI document follow what the service offers while it runs', async () => {
  const provider = { ...fakeProvider(), models: [bare] }
  const service = createGenerationService({ providers: [provider], log: quietLog() })
  const { ask } = setUp({ service })
  const ids = async () => (await ask('GET /m/v1/models')).json.data.map(({ id }: { id: string }) => id)
  const documentText = async () => JSON.stringify((await ask('GET /m/v1/openapi.json')).json)
  expect(await ids()).toEqual(['bare'])
  expect(await documentText()).not.toContain('acme/flux.1-pro')
  service.offer([{ ...provider, models: [priced] }])
  expect(await ids()).toEqual(['acme/flux.1-pro'])
  expect((await ask('GET /m/v1/models/acme/flux.1-pro')).status).toBe(200)
  expect((await ask('GET /m/v1/models/bare')).status).toBe(404)
  expect(await documentText()).toContain('acme/flux.1-pro')
})
