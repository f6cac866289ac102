import { GenerationError } from '@genmount/core'
import { expect, test } from 'vitest'
import type { V1Reply } from '../interface/v1-request.ts'
import { kite, setUp } from '../test-kit/set-up.ts'

function without(headers: V1Reply['headers'], ...names: string[]) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
}

test('a create whose wait fails is still answered with its job object and 202', async () => {
  const waitFor = () => Promise.reject(new GenerationError('store_unavailable', 'Try again.'))
  const { ask, log } = setUp({ service: { waitFor } })
  const reply = await ask('POST /m/v1/generate?wait=true', kite)
  expect(reply).toMatchObject({ status: 202, json: { object: 'generation' } })
  expect(log.errors).toHaveLength(1)
})

test.each(['store_unavailable', 'capacity_exceeded', 'shutting_down'] as const)(
  'a create that is refused with %s has retry-after and is answered at once, also with wait=true',
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

test('a query parameter wait that is neither true nor false, or is repeated, is refused before the body is read', async () => {
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
