import { createGenerationService, GenerationError } from '@genmount/core'
import { fakeProvider, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'
import type { V1Options } from '../interface/v1-options.ts'
import { corsPolicy, type CorsOptions } from './cors-policy.ts'
import { kite, setUp, slowKite } from '../test-kit/set-up.ts'

const page = 'https://app.example'
const origins = [page, 'http://localhost:5173']
const cors = corsPolicy({ origins })

/** The preflight that a browser sends before a page of this origin may create a job with its key. */
const preflight = (origin = page) => ({
  origin,
  authorization: '',
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,idempotency-key',
})

test('a CORS preflight is answered alike on every path, without a key', async () => {
  const { ask } = setUp({ options: { cors } })
  for (const path of [
    '/m/v1/generate',
    '/m/v1/jobs/x',
    '/m/v1/files/x?n=1',
    '/m/v1/outputs/x',
    '/m/v1/nothing',
  ]) {
    const { status, headers, body } = await ask(`OPTIONS ${path}`, undefined, preflight())
    expect({ status, body }, path).toEqual({ status: 204, body: undefined })
    expect(headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
      'access-control-allow-headers': 'authorization,content-type,idempotency-key',
      'access-control-max-age': '7200',
      vary: 'Origin',
    })
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
  }
})

test('an OPTIONS request that is no preflight needs a key, and so does a preflight outside of the interface', async () => {
  const { ask } = setUp({ options: { cors } })
  const { 'access-control-request-method': _, ...plain } = preflight()
  expect((await ask('OPTIONS /m/v1/generate', undefined, plain)).status).toBe(401)
  expect((await ask('OPTIONS /m/v1/generate', undefined, { origin: page })).headers['allow']).toBe(
    'POST, OPTIONS',
  )
  expect((await ask('OPTIONS /m/v2', undefined, preflight())).status).toBe(404)
})

test('a page of an origin that is not listed gets no CORS permission, with or without a preflight', async () => {
  const { ask } = setUp({ options: { cors } })
  for (const origin of [
    'https://evil.example',
    `${page}.evil.example`,
    `${page}:8443`,
    'http://app.example',
    'null',
    '',
  ])
    for (const line of ['OPTIONS /m/v1/generate', 'GET /m/v1/jobs/x']) {
      const { headers } = await ask(line, undefined, preflight(origin))
      expect(
        Object.keys(headers).filter((name) => name.startsWith('access-control')),
        origin,
      ).toEqual([])
      // A cache must not send the answer for one origin to the page of another.
      expect(headers['vary']).toBe('Origin')
    }
})

test('without the option cors there are no CORS headers, and a preflight needs a key', async () => {
  const { status, headers } = await setUp().ask('OPTIONS /m/v1/generate', undefined, preflight())
  expect(status).toBe(401)
  expect(Object.keys(headers).join()).not.toMatch(/access-control|vary/)
})

test('with all origins allowed, answers do not vary by Origin', async () => {
  const { ask } = setUp({ options: { cors: corsPolicy({ origins: '*' }) } })
  for (const given of [preflight('https://any.example'), { authorization: '' }]) {
    const { headers } = await ask('OPTIONS /m/v1/jobs/x', undefined, given)
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers).not.toHaveProperty('vary')
  }
})

test('a preflight that asks for an invalid header name gets no permission for it', async () => {
  const { ask } = setUp({ options: { cors } })
  const asked = { ...preflight(), 'access-control-request-headers': 'a\r\nset-cookie: b' }
  const { headers } = await ask('OPTIONS /m/v1/generate', undefined, asked)
  expect(headers).not.toHaveProperty('access-control-allow-headers')
})

/** The headers that the Fetch standard exposes to every page that may read the reply. */
const alwaysShown = ['cache-control', 'content-length', 'content-type']
/** The headers that are for the browser itself and not for the page. */
const forBrowsers =
  /^(access-control-|vary$|x-content-type-options$|cross-origin-resource-policy$|content-security-policy$)/

test('a page of a listed origin may read all headers of every answer: jobs, outputs and refusals', async () => {
  const exposedHeaders = ['X-RateLimit-Remaining']
  const limits: Partial<V1Options> = { maxBodyBytes: 100, cors: corsPolicy({ origins, exposedHeaders }) }
  const service = createGenerationService({ providers: [fakeProvider()], log: quietLog() })
  const { ask } = setUp({
    service: {
      ...service,
      get: (id, owner) => {
        if (id === 'away') throw new GenerationError('store_unavailable', 'Away.')
        if (id === 'odd') throw new Error('odd')
        return service.get(id, owner)
      },
    },
    options: limits,
  })
  const seen = new Set<number>()
  const see = async (line: string, body?: object, given: Record<string, string> = {}) => {
    const reply = await ask(line, body, { origin: page, ...given })
    seen.add(reply.status)
    const exposed = (reply.headers['access-control-expose-headers'] ?? '').split(', ')
    expect(reply.headers['access-control-allow-origin'], line).toBe(page)
    expect(exposed).toContain('X-RateLimit-Remaining')
    for (const name of Object.keys(reply.headers))
      if (!forBrowsers.test(name)) expect([...exposed, ...alwaysShown], line).toContain(name)
    return reply
  }
  const once = { 'idempotency-key': 'one', prefer: 'wait=1' }
  const { json: job } = await see('POST /m/v1/generate', kite, once)
  await see('POST /m/v1/generate', kite, once)
  await see('POST /m/v1/generate', slowKite)
  await see('POST /m/v1/generate', { model: 'none' })
  await see('POST /m/v1/generate', kite, { 'content-length': '101' })
  await see('POST /m/v1/generate', kite, { 'content-type': 'text/plain' })
  await see('PUT /m/v1/generate')
  await see('GET /m/v1/jobs/x', undefined, { authorization: '' })
  await see('GET /m/v1/jobs/away')
  await see('GET /m/v1/jobs/odd')
  await see('GET /m/v1/nothing')
  const { headers } = await see(`GET /m/v1/files/${job.id}`)
  const output = new URL(headers['location']!).pathname
  await see(`GET ${output}`)
  await see(`GET ${output}`, undefined, { range: 'bytes=0-3' })
  await see(`GET ${output}`, undefined, { range: 'bytes=99999-' })
  await service.close()
  expect([...seen].toSorted()).toEqual([200, 202, 206, 302, 400, 401, 404, 405, 413, 415, 416, 500, 503])
})

test.each<[string, unknown]>([
  ...[true, '*', null, []].map((options): [string, unknown] => ['the options', options]),
  ...[{}, { origins: [] }, { origins: 'https://a.example' }, { origins: [5] }].map(
    (options): [string, unknown] => ['origins', options],
  ),
  ...[
    '*',
    'null',
    'a.example',
    'https://a.example/',
    'https://A.example',
    'https://a.example:443',
    'https://*.a.example',
    'https://a.example, https://b.example',
  ].map((origin): [string, unknown] => ['origins', { origins: [origin] }]),
  ...['x-a', ['x a'], [''], [5]].map((exposedHeaders): [string, unknown] => [
    'exposedHeaders',
    { origins: '*', exposedHeaders },
  ]),
])('wrong %s of a CORS policy are a TypeError that names them: %o', (name, options) => {
  expect(() => corsPolicy(options as CorsOptions)).toThrow(TypeError)
  expect(() => corsPolicy(options as CorsOptions)).toThrow(`corsPolicy: ${name}`)
})

test('the origins of a CORS policy may be those of the web and of apps such as capacitor:// and chrome-extension://', () => {
  const origins = [
    'https://a.example',
    'http://[::1]:8080',
    'capacitor://localhost',
    'chrome-extension://abc',
  ]
  expect(corsPolicy({ origins }).origins).toEqual(origins)
})
