import { webhooks } from '@genmount/core/webhooks'
import { readFileSync } from 'node:fs'
import { uploads } from '@genmount/core/uploads'
import { createGenerationService, errorCodes, type Model, type OutputKind } from '@genmount/core'
import { fakeProvider, fakeWebhooks, quietLog } from '@genmount/testing'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openapiDocument } from '../openapi/openapi-document.ts'
import { setUp, type Overrides } from '../test-kit/set-up.ts'

async function documentOf(models: readonly Model[], options: Overrides['options'] = {}, tells = false) {
  const provider = { ...fakeProvider(), models }
  const plugins = [uploads(), ...(tells ? [webhooks(fakeWebhooks())] : [])]
  const service = createGenerationService({ providers: [provider], plugins, log: quietLog() })
  const { status, json } = await setUp({ service, options }).ask('GET /m/v1/openapi.json')
  expect(status).toBe(200)
  expect(await new Validator().validate(structuredClone(json))).toEqual({ valid: true })
  return json
}

const model = (id: string, input: Model['input'], outputKind: OutputKind = 'image'): Model => ({
  id,
  outputKind,
  input,
})
const prompt = z.strictObject({ prompt: z.string() })

describe('the OpenAPI document', () => {
  test('is valid OpenAPI and names the address of the service', async () => {
    const document = await documentOf(fakeProvider().models)
    expect(document.openapi).toBe('3.1.0')
    expect(document.servers).toEqual([{ url: 'http://media.test/m' }])
    const elsewhere = await documentOf(fakeProvider().models, { baseUrl: 'https://a.example/x' })
    expect(elsewhere.servers).toEqual([{ url: 'https://a.example/x' }])
  })

  test('has every path that needs a key, with its method', async () => {
    const source = readFileSync(new URL('../interface/v1-interface.ts', import.meta.url), 'utf8')
    const routes = [...source.matchAll(/with\w+\('(\/v1\/[^']+)', \{(.*)\}\)/g)]
      .flatMap(([, path = '', answers = '']) =>
        [...answers.matchAll(/\b([A-Z]+): /g)].map(
          ([, method]) => `${method} ${path.replaceAll(/:(\w+)\+?/g, '{$1}')}`,
        ),
      )
      .filter((route) => route !== 'GET /v1/outputs/{token}')
    const { paths } = await documentOf(fakeProvider().models)
    const documented = Object.entries<object>(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(documented.toSorted()).toEqual(routes.toSorted())
  })

  test('describes jobs, models and errors as the interface sends them', async () => {
    const { ask } = setUp()
    const { json: document } = await ask('GET /m/v1/openapi.json')
    const { Job, JobList, Model: ofModel, Error: ofError, Upload } = document.components.schemas
    expect(Upload).toBeUndefined()
    expect(document.paths['/v1/uploads']).toBeUndefined()
    const order = { model: 'fake-image', prompt: 'a' }
    const { json: job } = await ask('POST /m/v1/generate', order)
    expect(Job.required).toEqual(Object.keys(job))
    const { json: jobWithAll } = await ask('POST /m/v1/generate', { ...order, metadata: { album: '7' } })
    expect(Object.keys(Job.properties)).toEqual(Object.keys(jobWithAll))
    const { json: jobs } = await ask('GET /m/v1/jobs')
    expect(Object.keys(JobList.properties)).toEqual(Object.keys(jobs))
    const { json: list } = await ask('GET /m/v1/models')
    expect(ofModel.required).toEqual(Object.keys(list.data[0]))
    expect(Object.keys(ofModel.properties)).toEqual([...ofModel.required, 'description', 'ends'])
    const { json: refusal } = await ask('GET /m/v1/jobs/unknown')
    expect(Object.keys(ofError.properties.error.properties)).toEqual(Object.keys(refusal.error))
    expect(ofError.properties.error.properties.code.enum).toEqual(Object.keys(errorCodes))
  })

  test('lets the model of a create decide which other fields its body has', async () => {
    const { components, paths } = await documentOf([
      model('acme/a.b', prompt),
      model('acme_a.b', z.strictObject({ text: z.string(), seed: z.int().optional() }), 'video'),
      model('still', prompt),
    ])
    const { Create, CreateImage, 'Create_acme_a.b': first, 'Create_acme_a.b_2': second } = components.schemas
    expect(Create.discriminator).toEqual({
      propertyName: 'model',
      mapping: {
        'acme/a.b': '#/components/schemas/Create_acme_a.b',
        'acme_a.b': '#/components/schemas/Create_acme_a.b_2',
        still: '#/components/schemas/Create_still',
      },
    })
    expect(CreateImage.oneOf).toEqual([
      { $ref: '#/components/schemas/Create_acme_a.b' },
      { $ref: '#/components/schemas/Create_still' },
    ])
    expect(first).toEqual({
      type: 'object',
      properties: {
        prompt: { type: 'string' },
        model: { type: 'string', enum: ['acme/a.b'] },
        metadata: {
          type: 'object',
          additionalProperties: { type: 'string', maxLength: 512 },
          maxProperties: 16,
        },
      },
      required: ['model', 'prompt'],
      additionalProperties: false,
    })
    expect(second.required).toEqual(['model', 'text'])
    expect(Object.keys(paths)).toContain('/v1/video/generations')
  })

  test('has the body of the only model of a kind in place of a union of one', async () => {
    const { components } = await documentOf([model('still', prompt), model('film', prompt, 'video')])
    expect(components.schemas.CreateImage).toEqual({ $ref: '#/components/schemas/Create_still' })
    expect(components.schemas.CreateVideo).toEqual({ $ref: '#/components/schemas/Create_film' })
    const { components: single } = await documentOf([model('still', prompt)])
    expect(single.schemas.Create).toEqual({ $ref: '#/components/schemas/Create_still' })
  })

  test('names its components so that generators, which keep letters and digits alone, name no two types alike', async () => {
    const ids = ['flux.1', 'flux-1', 'Flux_1', 'flux-1.1', 'flux-11', 'image', 'Video']
    const { components } = await documentOf(ids.map((id) => model(id, prompt)))
    const { schemas, parameters, responses } = components
    const names = [schemas, parameters, responses].flatMap((named) => Object.keys(named))
    const types = names.map((name) => name.replaceAll(/[\W_]/g, '').toLowerCase())
    expect(new Set(types).size).toBe(types.length)
    expect(Object.keys(components.schemas.Create.discriminator.mapping)).toEqual(ids)
  })

  test('adds model to every branch of an input, and makes each part to which it refers a component', async () => {
    const part: z.ZodType = z.strictObject({
      text: z.string(),
      get next() {
        return part.optional()
      },
    })
    const input = z.union([z.strictObject({ first: part }), z.strictObject({ second: part })])
    const { components } = await documentOf([model('tree', input)])
    const { Create_tree: body } = components.schemas
    for (const branch of body.anyOf) expect(branch.required[0]).toBe('model')
    expect(JSON.stringify(body)).not.toContain('$defs')
    const reference = { $ref: '#/components/schemas/Part_1_of_Create_tree' }
    expect(body.anyOf[0].properties.first).toEqual(reference)
    expect(components.schemas.Part_1_of_Create_tree.properties.next).toEqual(reference)
  })

  test('has no create of a kind of output that no model makes', async () => {
    const { paths } = await documentOf([model('still', prompt)])
    expect(Object.keys(paths)).not.toContain('/v1/video/generations')
    expect(Object.keys(paths)).toContain('/v1/images/generations')
  })

  test('describes webhooks only where the service sends webhooks', async () => {
    const { components, paths, webhooks } = await documentOf([model('still', prompt)], {}, true)
    expect(Object.keys(webhooks)).toEqual(['job.completed', 'job.failed', 'webhook.test'])
    const { webhook_url, webhook_events } = components.schemas.Create_still.properties
    expect([webhook_url.maxLength, webhook_events.items.enum]).toEqual([
      2048,
      ['job.completed', 'job.failed'],
    ])
    const ok = paths['/v1/jobs/{id}/deliveries'].get.responses[200]
    expect(ok.content['application/json'].schema.$ref).toBe('#/components/schemas/DeliveryList')
    expect(Object.keys(components.schemas)).toContain('DeliveryList')
    const without = await documentOf([model('still', prompt)])
    expect(JSON.stringify(without)).not.toMatch(/webhook|deliver/i)
  })

  test('needs a key, unless the app makes the document public, and is not there if the app does not name it', async () => {
    const nobody = { authorization: '' }
    const openapi = openapiDocument({ access: 'public' })
    const statusWith = async (options: NonNullable<Overrides['options']>) => {
      const { ask } = setUp({ options })
      const line = 'GET /m/v1/openapi.json'
      return [(await ask(line, undefined, nobody)).status, (await ask(line)).status]
    }
    expect(await statusWith({})).toEqual([401, 200])
    expect(await statusWith({ openapi })).toEqual([200, 200])
    expect(await statusWith({ openapi: undefined })).toEqual([401, 404])
    const { ask } = setUp({ options: { openapi } })
    const { json } = await ask('GET /m/v1/openapi.json', undefined, nobody)
    expect(json.paths['/v1/openapi.json'].get.security).toEqual([])
    expect((await ask('GET /m/v1/models', undefined, nobody)).status).toBe(401)
  })
})
