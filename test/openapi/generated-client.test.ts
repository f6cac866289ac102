import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js'
import OpenAI from 'openai'
import openapiTS, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createGenerationService, type Provider } from '@genmount/core'
import { signedWebhooks } from '@genmount/webhooks'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import { listen, type LoopbackServer } from '../loopback.ts'
import { outputOf } from '../processes/run-program.ts'
import { scriptCommand } from '../processes/start-server.ts'
import { readerFolder } from '../readme/reader-folder.ts'

const fake = fakeProvider({
  behave: ({ input }) => (input['prompt'] === 'refuse me' ? { failure: { code: 'content_policy' } } : {}),
})
const acme: Provider = {
  ...fakeProvider(),
  name: 'acme',
  models: [{ id: 'acme/flux.1', outputKind: 'image', input: z.strictObject({ text: z.string() }) }],
}
/** The bodies of the webhooks that were sent. */
const told: unknown[] = []
const webhooks = signedWebhooks({
  baseUrl: 'https://app.example/media',
  secretsOf: () => `whsec_${btoa('0123456789abcdef0123456789abcdef')}`,
  fetch: async (_url, { body }) => (told.push(JSON.parse(body)), new Response()),
})
const service = createGenerationService({ providers: [fake, acme], webhooks, log: quietLog() })
const key = 'key-of-alice'
let server: LoopbackServer
let baseUrl: string
const folder = readerFolder({
  'client.ts': readFileSync(new URL('client-program.ts.txt', import.meta.url), 'utf8'),
  'package.json': { type: 'module' },
  'tsconfig.json': {
    compilerOptions: {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom'],
      types: ['node'],
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    },
    // `generated.ts` is checked where `client.ts` uses it.
    files: ['client.ts'],
  },
})

beforeAll(async () => {
  const authenticate = apiKeys({ alice: key })
  server = await listen(toNodeHandler(service, { authenticate, mountPath: '/media' }))
  baseUrl = `${server.origin}/media`
})
afterAll(async () => {
  await service.close()
  await server?.stop()
})

test('a client that openapi-typescript makes of the document type-checks bodies by their model, and runs', async () => {
  const headers = { authorization: `Bearer ${key}` }
  const document = await (await fetch(`${baseUrl}/v1/openapi.json`, { headers })).json()
  // By default the generator makes each field with a default value required in the body.
  const types = astToString(await openapiTS(document, { defaultNonNullable: false }))
  writeFileSync(join(folder, 'generated.ts'), types)
  const check = scriptCommand('node', new URL('../readme/type-errors.ts', import.meta.url))
  expect(await outputOf([...check, join(folder, 'tsconfig.json')])).toBe('')
  await outputOf([process.execPath, join(folder, 'client.ts'), baseUrl, key])
})

test("OpenAI's own client reads the list of models, and one model whose id has a slash", async () => {
  const openai = new OpenAI({ apiKey: key, baseURL: `${baseUrl}/v1` })
  const ids: string[] = []
  for await (const { id, object, created, owned_by } of openai.models.list()) {
    expect([object, typeof created, typeof owned_by]).toEqual(['model', 'number', 'string'])
    ids.push(id)
  }
  expect(ids).toEqual(['fake-image', 'fake-video', 'acme/flux.1'])
  expect(await openai.models.retrieve('acme/flux.1')).toMatchObject({ id: 'acme/flux.1', object: 'model' })
  await expect(openai.models.retrieve('acme/other')).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  })
})

test("OpenAI's own client makes a picture with wait=true, and reads where it is", async () => {
  const openai = new OpenAI({ apiKey: key, baseURL: `${baseUrl}/v1` })
  const image = { model: 'fake-image', prompt: 'a kite' }
  const { data } = await openai.images.generate(image, { query: { wait: 'true' } })
  expect(data?.[0]?.url).toMatch(/\/v1\/files\/gen_/)
  const file = await fetch(data![0]!.url!, { headers: { authorization: `Bearer ${key}` } })
  expect(file.headers.get('content-type')).toBe('image/png')
})

test('each webhook is what the document says of its event', async () => {
  const headers = { authorization: `Bearer ${key}` }
  const document = await (await fetch(`${baseUrl}/v1/openapi.json`, { headers })).json()
  told.length = 0
  const webhook = { url: 'https://receiver.example/' }
  const request = { owner: 'alice', model: 'fake-image', metadata: { album: '7' }, webhook }
  await service.create({ ...request, input: { prompt: 'a kite' } })
  await service.create({ ...request, input: { prompt: 'refuse me' } })
  await vi.waitFor(() => expect(told).toHaveLength(2), 60_000)
  const types = (told as { readonly type: string }[]).map(({ type }) => type)
  expect(types.toSorted()).toEqual(['job.completed', 'job.failed'])
  const ajv = new Ajv({ strict: false, formats: { uri: true, 'date-time': true } })
  ajv.addSchema({ $id: 'document', ...document })
  for (const body of told as { readonly type: string }[]) {
    const place = `document#/webhooks/${body.type}/post/requestBody/content/application~1json/schema`
    const validate = ajv.getSchema(place)
    expect([validate?.(body), validate?.errors]).toEqual([true, null])
  }
})
