import { expect, test } from 'vitest'
import { clientKeys, keys, operated } from './operated.ts'

/** Every route of the operator, by the plugin itself: a route that is added later is tested too. */
function routesOf({ service }: ReturnType<typeof operated>): readonly string[] {
  const own = service.routes.filter(({ path }) => path.startsWith('/v1/operator'))
  return own.map(({ method, path }) => `${method} ${path.replaceAll(':id', 'gen_0')}`)
}

test('every route of operators refuses the key of a client with 403, and everything but an operator key with 401', async () => {
  const setUp = operated()
  const { ask } = setUp
  const routes = routesOf(setUp)
  expect(routes.length).toBeGreaterThan(7)
  for (const route of routes) {
    const body = route.startsWith('POST') ? { reason: 'why' } : undefined
    const answerTo = async (key: string, headers?: object) => {
      const { status, code } = await ask(route, body, key, headers)
      return [status, code]
    }
    expect(await answerTo(keys.alice), route).toEqual([403, 'operator_only'])
    expect(await answerTo(''), route).toEqual([401, 'missing_api_key'])
    expect(await answerTo('wrong'), route).toEqual([401, 'invalid_api_key'])
    expect(await answerTo('not a token'), route).toEqual([401, 'invalid_api_key'])
    expect(await answerTo('', { cookie: 'session=alice' }), route).toEqual([401, 'missing_api_key'])
    expect((await answerTo(keys.maria))[0], route).not.toBe(401)
  }
})

test('the cookie by which an app knows its users opens no route of operators, and is no operator key on another path', async () => {
  const session = ({ token }: { readonly token: string | undefined }) =>
    token === undefined ? { owner: 'alice' } : clientKeys(token)
  const setUp = operated({ v1: { credentials: 'any', authenticate: session as never } })
  expect((await setUp.ask('GET /v1/jobs', undefined, '')).status).toBe(200)
  for (const route of routesOf(setUp)) {
    const { status, code } = await setUp.ask(route, { reason: 'why' }, '', { cookie: 'session=alice' })
    expect([status, code], route).toEqual([401, 'missing_api_key'])
  }
})

test('the key of an operator opens no path of clients', async () => {
  const { ask } = operated()
  for (const line of ['GET /v1/jobs', 'GET /v1/jobs/gen_0', 'GET /v1/models', 'GET /v1/usage'])
    expect(await ask(line), line).toMatchObject({ status: 401, code: 'invalid_api_key' })
  const create = { model: 'fake-image', prompt: 'a fox' }
  expect(await ask('POST /v1/generate', create)).toMatchObject({ status: 401, code: 'invalid_api_key' })
})

test('below /v1/operator, a path at which nothing is asks for the same keys: 404 for an operator, 403 for a client, 401 without a key', async () => {
  const { ask } = operated()
  const nowhere = ['nothing', 'jobs/gen_0/nothing', 'jobs/', 'usage/nothing', 'nothing/below/it']
  for (const path of nowhere)
    for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
      const route = `${method} /v1/operator/${path}`
      const answerTo = async (key: string) => {
        const { status, code } = await ask(route, method === 'POST' ? { reason: 'why' } : undefined, key)
        return [status, code]
      }
      expect(await answerTo(keys.maria), route).toEqual([404, 'route_not_found'])
      expect(await answerTo(keys.alice), route).toEqual([403, 'operator_only'])
      expect(await answerTo(''), route).toEqual([401, 'missing_api_key'])
      expect(await answerTo('wrong'), route).toEqual([401, 'invalid_api_key'])
    }
  // A name that only begins so is a path of clients.
  expect(await ask('GET /v1/operators')).toMatchObject({ status: 401, code: 'invalid_api_key' })
  expect(await ask('GET /v1/operators', undefined, keys.alice)).toMatchObject({ status: 404 })
})

test('requests of operators do not count in the limit of clients, and other methods are refused with 405', async () => {
  const { ask } = operated({})
  expect((await ask('GET /v1/operator')).headers).not.toHaveProperty('ratelimit')
  expect(await ask('DELETE /v1/operator')).toMatchObject({
    status: 405,
    headers: { allow: 'GET, HEAD, OPTIONS' },
  })
  expect((await ask('DELETE /v1/operator', undefined, keys.alice)).code).toBe('operator_only')
})

test('no key of an operator stands in the log or in an answer', async () => {
  const { ask, create, log } = operated()
  const { id } = await create({ delay_ms: 60_000 })
  const answers = [
    await ask('GET /v1/operator'),
    await ask('GET /v1/operator/jobs'),
    await ask(`POST /v1/operator/jobs/${id}/cancel`, { reason: 'It hangs.' }),
    await ask('GET /v1/operator/audit'),
    await ask(`POST /v1/operator/jobs/${id}/cancel`, { reason: 'Again.' }, `${keys.maria}x`),
  ]
  for (const key of Object.values(keys)) {
    expect(JSON.stringify(answers)).not.toContain(key)
    expect(JSON.stringify(log.lines)).not.toContain(key)
  }
})
