import { createGenerationService, GenerationError, type PluginRoute } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'
import { apiKeys } from '../access/api-keys.ts'
import { setUp } from '../test-kit/set-up.ts'

function mounted(...routes: readonly PluginRoute[]) {
  const log = quietLog()
  const plugin = { name: 'notes', attach: () => ({ routes }) }
  const service = createGenerationService({ providers: [fakeProvider()], plugins: [plugin], log })
  return { ...setUp({ service }), log }
}

const echo: PluginRoute = {
  method: 'POST',
  path: '/v1/notes/:id',
  answer: async ({ owner, params, query, baseUrl, header, json }) => ({
    status: 201,
    headers: { 'x-note': 'kept' },
    json: {
      owner,
      params,
      asked: query.getAll('q'),
      baseUrl,
      type: header('content-type'),
      body: await json(),
    },
  }),
}

test('a route of a plugin gets the owner, the path, the query and the JSON of a request, and its answer is sent', async () => {
  const { ask } = mounted(echo)
  const { status, json, headers } = await ask('POST /m/v1/notes/a%2Fb?q=1&q=2', { text: 'hello' })
  expect([status, headers['x-note'], headers['cache-control']]).toEqual([201, 'kept', 'no-store'])
  expect(json).toEqual({
    owner: 'alice',
    params: { id: 'a/b' },
    asked: ['1', '2'],
    baseUrl: expect.stringMatching(/\/m$/),
    type: 'application/json',
    body: { text: 'hello' },
  })
})

test('a route of a plugin refuses requests without a key, other methods, and other bodies than JSON, as all routes do', async () => {
  const { ask } = mounted(echo, { method: 'DELETE', path: '/v1/notes/:id', answer: async () => ({}) })
  const code = async (...request: Parameters<typeof ask>) => (await ask(...request)).json?.error?.code
  expect(await code('POST /m/v1/notes/1', {}, { authorization: '' })).toBe('missing_api_key')
  expect(await code('POST /m/v1/notes/1', {}, { 'content-type': 'text/plain' })).toBe(
    'unsupported_media_type',
  )
  const refused = await ask('GET /m/v1/notes/1')
  expect([refused.status, refused.headers['allow']]).toEqual([405, 'POST, DELETE, OPTIONS'])
  expect((await ask('DELETE /m/v1/notes/1')).status).toBe(204)
  expect(await code('POST /m/v1/notes/%ff', {})).toBe('invalid_request')
  expect(await code('POST /m/v1/notes/', {})).toBe('route_not_found')
})

test('an error of a route of a plugin is an internal error without its words, and a refusal keeps its code', async () => {
  const routes = [
    new Error('the database said: secret'),
    new GenerationError('not_supported', 'Not here.'),
  ].map((fault, index): PluginRoute => ({
    method: 'GET',
    path: `/v1/faults/${index}`,
    answer: () => Promise.reject(fault),
  }))
  const { ask, log } = mounted(...routes)
  const { status, json } = await ask('GET /m/v1/faults/0')
  expect([status, json.error.code]).toEqual([500, 'internal_error'])
  expect(JSON.stringify(json)).not.toContain('secret')
  expect(log.errors).toHaveLength(1)
  expect((await ask('GET /m/v1/faults/1')).json.error.code).toBe('not_supported')
})

test('a route of a plugin can not take the place of a route of the interface', async () => {
  const { ask } = mounted({ method: 'GET', path: '/v1/jobs', answer: async () => ({ json: 'mine' }) })
  expect((await ask('GET /m/v1/jobs')).json).toMatchObject({ object: 'list' })
})

test('the OpenAPI document shows a route of a plugin that has an operation, with the parameters of its path', async () => {
  const shown: PluginRoute = {
    ...echo,
    operation: () => ({ operationId: 'addNote', responses: { 201: { description: 'Kept.' } } }),
  }
  const { ask } = mounted(shown, { method: 'GET', path: '/v1/hidden', answer: async () => ({}) })
  const { paths } = (await ask('GET /m/v1/openapi.json')).json
  expect(paths['/v1/notes/{id}'].post).toMatchObject({
    operationId: 'addNote',
    parameters: [{ name: 'id', in: 'path', required: true }],
  })
  expect(paths).not.toHaveProperty('/v1/hidden')
})

test.each(['/notes', '/v1/', '/v1/notes/', '/v1/*', '/v1/a b'])(
  'a plugin with the route %j is refused when the service is created',
  (path) => {
    expect(() => mounted({ ...echo, path })).toThrow(
      /plugin notes: hooks.routes\[0\] must be a route with a method, a path such as/,
    )
  },
)

test('a path of a plugin has one spelling: a letter or digit that is encoded without need is not decoded', async () => {
  const { ask } = mounted(echo)
  for (const spelling of ['%61', 'a%5Fb', '%7e', 'x%2E', '%39', 'n%6F%2Fte']) {
    const { json } = await ask(`POST /m/v1/notes/${spelling}`, {})
    expect(json.params.id, spelling).toBe(spelling)
  }
})

test('a route of a plugin with keys of its own is opened by these keys alone, and gets their holder', async () => {
  const authenticate = apiKeys({ maria: 'maria-key' })
  const { ask } = mounted({ ...echo, authenticate })
  const code = async (key: string | undefined) =>
    (await ask('POST /m/v1/notes/1', {}, { authorization: key ?? '' })).json.error.code
  expect((await ask('POST /m/v1/notes/1', {}, { authorization: 'Bearer maria-key' })).json.owner).toBe(
    'maria',
  )
  expect(await code('Bearer alice-key')).toBe('operator_only')
  expect(await code('Bearer other-key')).toBe('invalid_api_key')
  expect(await code(undefined)).toBe('missing_api_key')
  const maria = { authorization: 'Bearer maria-key' }
  expect((await ask('GET /m/v1/jobs', undefined, maria)).json.error.code).toBe('invalid_api_key')
  expect((await ask('POST /m/v1/notes/1/', {}, maria)).json.error.code).toBe('route_not_found')
})

test('two plugins can not have one path for the holders of different keys', () => {
  const authenticate = apiKeys({ maria: 'maria-key' })
  expect(() => mounted(echo, { ...echo, method: 'GET', authenticate })).toThrow(/\/v1\/notes\/:id/)
  expect(() => mounted({ ...echo, authenticate: 'maria-key' as never })).toThrow(/hooks.routes\[0\]/)
})
