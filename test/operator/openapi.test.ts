import { operator } from '@genmount/operator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { operated, operatorKeys } from './operated.ts'

type Operation = {
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

test('the OpenAPI document has every route of operators with its tag and its own security, and none without the plugin', async () => {
  const { ask, service } = operated()
  const { paths, components } = (await ask('GET /v1/openapi.json')).json
  for (const { method, path } of service.routes.filter((route) => route.path.startsWith('/v1/operator'))) {
    const operation: Operation | undefined = paths[path.replaceAll(':id', '{id}')]?.[method.toLowerCase()]
    expect(operation, path).toMatchObject({ tags: ['operator'], security: [{ operator: [] }] })
  }
  expect(components.securitySchemes.operator).toMatchObject({
    scheme: 'bearer',
    description: expect.any(String),
  })
  const without = (await operated({ plugins: [] }).ask('GET /v1/openapi.json')).json
  expect(JSON.stringify(without)).not.toContain('OperatorJob')
  expect(JSON.stringify(without.paths)).not.toContain('/v1/operator')
})

test('what the routes of operators answer is what the document says', async () => {
  const { ask, create, clock } = operated()
  const failed = await create({ fail: 'provider_rejected', webhook_url: 'https://receiver.example/503' })
  const running = await create({ delay_ms: 600_000 })
  await clock.advance(10_000)
  const document = (await ask('GET /v1/openapi.json')).json
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, 'openapi')

  async function checked(line: string, path: string, body?: object) {
    const [method = ''] = line.split(' ')
    const { status, json } = await ask(line, body)
    const pointer = `openapi#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
    const validate = ajv.compile({ $ref: encodeURI(pointer) })
    expect(validate(json), `${line}: ${JSON.stringify(validate.errors)} ${JSON.stringify(json)}`).toBe(true)
  }

  const because = { reason: 'why' }
  await checked('GET /v1/operator', '/v1/operator')
  await checked('GET /v1/operator/jobs', '/v1/operator/jobs')
  await checked(`GET /v1/operator/jobs/${failed.id}`, '/v1/operator/jobs/{id}')
  await checked(`GET /v1/operator/jobs/${running.id}`, '/v1/operator/jobs/{id}')
  await checked(`POST /v1/operator/jobs/${failed.id}/retry`, '/v1/operator/jobs/{id}/retry', because)
  await checked(`POST /v1/operator/jobs/${failed.id}/deliver`, '/v1/operator/jobs/{id}/deliver', because)
  await checked(`POST /v1/operator/jobs/${failed.id}/delete`, '/v1/operator/jobs/{id}/delete', because)
  await checked('GET /v1/operator/usage?group_by=owner,key', '/v1/operator/usage')
  await checked('GET /v1/operator/budgets?owner=alice', '/v1/operator/budgets')
  await checked('POST /v1/operator/grants', '/v1/operator/grants', { owner: 'alice', usd: 1, ...because })
  await checked('GET /v1/operator/grants', '/v1/operator/grants')
  await checked('GET /v1/operator/keys', '/v1/operator/keys')
  const test = { url: 'https://receiver.example/200', ...because }
  await checked('POST /v1/operator/webhook-tests', '/v1/operator/webhook-tests', test)
  await checked('GET /v1/operator/audit', '/v1/operator/audit')
})

test('authenticate must be a function', () => {
  for (const options of [undefined, {}, { authenticate: 'key' }, { authenticate: operatorKeys, more: 1 }])
    expect(() => operator(options as never)).toThrow(/^operator/)
})
