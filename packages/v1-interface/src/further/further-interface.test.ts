import { createGenerationService } from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { fakeProvider, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { options } from '../test-kit/set-up.ts'
import type { JsonOrForm } from '../interface/further-interface.ts'
import { createV1Interface } from '../interface/v1-interface.ts'
import { furtherInterface } from './further-interface.ts'

/** Answers with the owner and the body, and refuses in words of its own. */
const echo = (path = '/echo/v2') =>
  furtherInterface({
    path,
    refusal: ({ code }) => ({ status: 418, headers: {}, body: code }),
    routes: (host) => [
      {
        path: '/jobs',
        answers: {
          GET: async ({ owner }) => ({ status: 200, headers: {}, body: owner }),
          POST: (exchange) =>
            host.withBody(exchange, async (body) => ({ status: 200, headers: {}, body: shown(body) })),
        },
      },
    ],
  })

const shown = (body: JsonOrForm) =>
  'form' in body ? [...body.form.keys()].join() : JSON.stringify(body.json)

function setUp(plugins: Parameters<typeof createGenerationService>[0]['plugins'] = []) {
  const service = createGenerationService({ providers: [fakeProvider()], log: quietLog(), plugins })
  onTestFinished(() => service.close().then(() => {}))
  const answer = createV1Interface(service, { ...options, interfaces: [echo()] })
  return async (line: string, headers: Record<string, string> = {}, body?: BodyInit) => {
    const [method = '', target = ''] = line.split(' ')
    const sent = new Response(body)
    const all: Record<string, string> = { host: 'media.test', authorization: 'Bearer alice-key', ...headers }
    const type = sent.headers.get('content-type')
    if (type !== null) all['content-type'] ??= type
    const reply = await answer({
      method,
      path: answer.pathOf(target, '/m'),
      target,
      mountPath: '/m',
      scheme: 'http',
      header: (name) => all[name],
      headers: () => all,
      body: () => sent.body!.getReader() as never,
    })
    return [reply.status, reply.body]
  }
}

test('a further interface answers below its own path, for the owner of the key, and beside /v1', async () => {
  const ask = setUp()
  expect(await ask('GET /m/echo/v2/jobs')).toEqual([200, 'alice'])
  expect((await ask('GET /m/v1/jobs'))[0]).toBe(200)
  expect(await ask('POST /m/echo/v2/jobs', { 'content-type': 'application/json' }, '{"a":1}')).toEqual([
    200,
    '{"a":1}',
  ])
})

test('a further interface refuses in its own words: without a key, at no path, with too many requests', async () => {
  const ask = setUp([limits({ requestsPerMinute: 2 })])
  expect(await ask('GET /m/echo/v2/jobs', { authorization: 'Bearer x' })).toEqual([418, 'invalid_api_key'])
  expect(await ask('GET /m/echo/v2/none')).toEqual([418, 'route_not_found'])
  expect(await ask('GET /m/echo/v2')).toEqual([418, 'route_not_found'])
  expect(await ask('GET /m/echo/v2/jobs')).toEqual([418, 'rate_limit_exceeded'])
  expect(await ask('GET /m/echo/v22/jobs')).toEqual([404, expect.stringContaining('route_not_found')])
})

test('a form is read within the limits of a body, and one of many small parts is refused before it is parsed', async () => {
  const ask = setUp()
  const form = new FormData()
  form.append('prompt', 'a fox')
  form.append('image', new Blob(['x']), 'a.png')
  expect(await ask('POST /m/echo/v2/jobs', {}, form)).toEqual([200, 'prompt,image'])
  const many = new FormData()
  for (let part = 0; part < 200; part++) many.append('a', '')
  expect(await ask('POST /m/echo/v2/jobs', {}, many)).toEqual([418, 'invalid_request'])
  const broken = { 'content-type': 'multipart/form-data; boundary=x' }
  expect(await ask('POST /m/echo/v2/jobs', broken, 'nothing')).toEqual([418, 'invalid_request'])
})

test('a further interface at the path of /v1, or that is none, is refused with a TypeError that names the option', () => {
  const service = createGenerationService({ providers: [fakeProvider()], log: quietLog() })
  for (const wrong of [echo('/v1'), echo('echo'), {}, 'echo'])
    expect(() => createV1Interface(service, { ...options, interfaces: [wrong as never] })).toThrow(
      /createV1Interface: interfaces\[0\] must be an interface such as openaiInterface\(\)/,
    )
})
