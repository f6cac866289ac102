import { GenerationError } from '@genmount/core'
import { fakeProvider } from '@genmount/testing'
import { expect, test } from 'vitest'
import type { V1Reply } from '../interface/v1-request.ts'
import { kite, setUpWith, slowKite, type Overrides } from '../test-kit/set-up.ts'

const setUp = (overrides?: Overrides) => setUpWith(fakeProvider(), overrides)

function without(headers: V1Reply['headers'], ...names: string[]) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

test('a create is 202 with the job, its address and when to come back', async () => {
  const { ask } = setUp()
  for (const path of ['/m/v1/generate', '/m/v1/images/generations']) {
    const reply = await ask(`POST ${path}`, slowKite)
    expect(reply.status).toBe(202)
    expect(reply.json).toMatchObject({
      object: 'generation',
      status: 'processing',
      input: { prompt: 'a kite' },
    })
    expect(without(reply.headers, 'x-request-id')).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'retry-after': '3',
      location: `http://media.test/m/v1/jobs/${reply.json.id}`,
    })
    expect(reply.headers['x-request-id']).toMatch(/^req_[\w-]{36}$/)
  }
})

test('a create that waits is 200 with the finished job', async () => {
  const { ask } = setUp()
  const reply = await ask('POST /m/v1/generate?wait=true', kite)
  expect(reply).toMatchObject({ status: 200, json: { status: 'completed' } })
  expect(reply.headers).not.toHaveProperty('retry-after')
})

test('a preference to wait is honoured and said so, unless the query says no', async () => {
  const { ask } = setUp()
  const waited = await ask('POST /m/v1/generate', kite, { prefer: 'wait=1' })
  expect(waited.status).toBe(200)
  expect(waited.headers['preference-applied']).toBe('wait=1')
  const refused = await ask('POST /m/v1/generate?wait=false', slowKite, { prefer: 'wait=1' })
  expect(refused.status).toBe(202)
  expect(refused.headers).not.toHaveProperty('preference-applied')
})

test('when waiting breaks off, the client still learns of the job that it has', async () => {
  const waitFor = () => Promise.reject(new GenerationError('store_unavailable', 'Try again.'))
  const { ask, logged } = setUp({ service: { waitFor } })
  const reply = await ask('POST /m/v1/generate?wait=true', kite)
  expect(reply).toMatchObject({ status: 202, json: { object: 'generation' } })
  expect(logged).toHaveLength(2)
})

test.each(['store_unavailable', 'capacity_exceeded', 'shutting_down'] as const)(
  'a create that is refused with %s says when to try again and waits for nothing, wished or not',
  async (code) => {
    const create = () => Promise.reject(new GenerationError(code, 'Not now.'))
    let waits = 0
    const waitFor = () => (waits++, new Promise<never>(() => {}))
    const { ask } = setUp({ service: { create, waitFor } })
    for (const [line, headers] of [
      ['POST /m/v1/generate', {}],
      ['POST /m/v1/generate?wait=true', {}],
      ['POST /m/v1/generate', { prefer: 'wait=10' }],
      ['POST /m/v1/images/generations?wait=true', { 'idempotency-key': 'one' }],
    ] as const) {
      const reply = await ask(line, kite, headers)
      expect(reply.status).toBe(503)
      expect(without(reply.headers, 'x-request-id')).toEqual({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'retry-after': '3',
      })
      expect(reply.json).toEqual({
        error: {
          message: 'Not now.',
          type: 'server_error',
          param: null,
          code,
          request_id: reply.headers['x-request-id'],
        },
      })
    }
    expect(waits).toBe(0)
  },
)

test('a wait that is neither true nor false, or given twice, is refused before the body is read', async () => {
  const { ask, bodyReads } = setUp()
  for (const query of ['wait=1', 'wait=', 'wait', 'wait=TRUE', 'wait=true&wait=true', 'wait=&wait=true']) {
    const reply = await ask(`POST /m/v1/generate?${query}`, kite)
    expect(reply, query).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_request', param: 'wait' } },
    })
  }
  expect(bodyReads()).toBe(0)
})

test('the same key and body are the same job, within one route', async () => {
  const { ask } = setUp()
  const key = { 'idempotency-key': 'order-1' }
  const first = await ask('POST /m/v1/generate', kite, key)
  const replay = await ask('POST /m/v1/generate', kite, { 'idempotency-key': '"order-1"' })
  expect(replay.json.id).toBe(first.json.id)
  expect(replay.headers['idempotency-replayed']).toBe('true')
  const elsewhere = await ask('POST /m/v1/images/generations', kite, key)
  expect(elsewhere.json.id).not.toBe(first.json.id)
  expect(await ask('POST /m/v1/generate', slowKite, key)).toMatchObject({ status: 422 })
  const tooLong = await ask('POST /m/v1/generate', kite, { 'idempotency-key': 'k'.repeat(256) })
  expect(tooLong.json.error).toMatchObject({ code: 'invalid_request', param: 'Idempotency-Key' })
})

test.each([
  [{ prompt: 'a kite' }, 'missing_field', 'model'],
  [{ ...kite, model: 5 }, 'invalid_request', 'model'],
  [{ ...kite, model: null }, 'invalid_request', 'model'],
  [{ ...kite, model: 'fake-video' }, 'wrong_output_kind', 'model'],
  [{ ...kite, model: 'nothing' }, 'model_not_found', 'model'],
  [[kite], 'invalid_request', null],
  [null, 'invalid_request', null],
  ['text', 'invalid_request', null],
  [JSON.parse('{"model":"fake-image","prompt":"a","__proto__":{}}'), 'invalid_request', '__proto__'],
])('a body of %j is 400 %s', async (body, code, param) => {
  const reply = await setUp().ask('POST /m/v1/images/generations', body)
  expect(reply).toMatchObject({
    status: 400,
    json: { error: { type: 'invalid_request_error', code, param } },
  })
  expect(Object.keys(reply.json.error)).toEqual(['message', 'type', 'param', 'code', 'request_id'])
  expect(reply.json.error.request_id).toBe(reply.headers['x-request-id'])
})

test('only plain JSON in UTF-8 is read', async () => {
  const { ask, bodyReads } = setUp()
  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"; x=y',
  ])
    expect(await ask('POST /m/v1/generate', kite, { 'content-type': type }), type).toMatchObject({
      status: 202,
    })
  const before = bodyReads()
  for (const type of [
    '',
    'text/plain',
    'application/jsonp',
    'application/json; charset=latin1',
    'application/json, text/plain',
  ])
    expect(await ask('POST /m/v1/generate', kite, { 'content-type': type }), type).toMatchObject({
      status: 415,
    })
  for (const encoding of ['gzip', 'identity, br'])
    expect(await ask('POST /m/v1/generate', kite, { 'content-encoding': encoding })).toMatchObject({
      status: 415,
    })
  expect(bodyReads()).toBe(before)
})

test('a body that is declared too large is refused without being read', async () => {
  const { ask, bodyReads } = setUp({ options: { maxBodyBytes: 100 } })
  expect(await ask('POST /m/v1/generate', kite, { 'content-length': '101' })).toMatchObject({ status: 413 })
  expect(bodyReads()).toBe(0)
})

test('a Host header that is no host makes no job', async () => {
  const { ask } = setUp()
  const reply = await ask('POST /m/v1/generate', kite, { host: 'evil/x?' })
  expect(reply).toMatchObject({ status: 400, json: { error: { code: 'invalid_request', param: 'Host' } } })
})
