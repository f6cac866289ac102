import assert from 'node:assert/strict'
import { expectError, expectOneOf, isRuntimeRefusal } from './expect-error.ts'
import type { SuiteRequest } from './request.ts'
import type { Cases } from './suite-client.ts'
import { endless, quick } from './suite-jobs.ts'

const everyRoute: readonly SuiteRequest[] = [
  { path: '/v1/generate', body: quick },
  { path: '/v1/images/generations', body: quick },
  { path: '/v1/video/generations', body: quick },
  { path: '/v1/jobs/some-job' },
  { path: '/v1/files/some-job' },
]

export const authCases: Cases = {
  'every endpoint asks for a key with 401 and WWW-Authenticate': async (client) => {
    for (const route of everyRoute)
      expectError(await client.send({ ...route, as: 'nobody' }), 'missing_api_key')
  },

  'a wrong key is 401 invalid_api_key on every endpoint': async (client) => {
    for (const route of everyRoute) {
      const headers = [['Authorization', 'Bearer not-a-key']] as const
      expectError(await client.send({ ...route, as: 'nobody', headers }), 'invalid_api_key')
    }
  },

  'a key that is nearly right is wrong': async (client) => {
    const { alice } = client.subject.keys
    const near = [
      alice.toUpperCase(),
      alice.slice(0, -1),
      alice.slice(1),
      `${alice}x`,
      `${alice}=`,
      `${alice.slice(0, -1)}%36`,
    ]
    for (const token of near) {
      const headers = [['Authorization', `Bearer ${token}`]] as const
      expectError(await client.send({ path: '/v1/jobs/x', as: 'nobody', headers }), 'invalid_api_key')
    }
  },

  'only the bearer scheme is understood, in capitals or not': async (client) => {
    const { id } = await client.create(endless)
    const { alice } = client.subject.keys
    const path = `/v1/jobs/${id}`
    for (const scheme of ['bearer', 'BEARER', 'Bearer']) {
      const reply = await client.send({
        path,
        as: 'nobody',
        headers: [['Authorization', `${scheme} ${alice}`]],
      })
      assert.equal(reply.status, 200, scheme)
    }
    const basic = Buffer.from(`alice:${alice}`).toString('base64')
    for (const value of [
      `Basic ${basic}`,
      `Token ${alice}`,
      alice,
      `Bearer${alice}`,
      'Bearer',
      'Bearer ',
      '',
    ]) {
      const reply = await client.send({ path, as: 'nobody', headers: [['Authorization', value]] })
      expectOneOf(reply, ['missing_api_key', 'invalid_api_key'])
    }
  },

  'a key with anything after it is wrong': async (client) => {
    const { alice, bob } = client.subject.keys
    for (const value of [
      `Bearer ${alice} x`,
      `Bearer ${alice},`,
      `Bearer ${alice}, Bearer ${bob}`,
      `Bearer ${alice};a=b`,
    ]) {
      const reply = await client.send({
        path: '/v1/jobs/x',
        as: 'nobody',
        headers: [['Authorization', value]],
      })
      expectOneOf(reply, ['missing_api_key', 'invalid_api_key'])
    }
  },

  'two Authorization headers are no authorization, on every host alike': async (client) => {
    const { id } = await client.create(endless)
    const { alice, bob } = client.subject.keys
    for (const [first, second] of [
      [alice, bob],
      [bob, alice],
      [alice, 'wrong'],
      ['wrong', alice],
    ]) {
      const headers = [
        ['Authorization', `Bearer ${first}`],
        ['Authorization', `Bearer ${second}`],
      ] as const
      const reply = await client.attempt({ path: `/v1/jobs/${id}`, as: 'nobody', headers })
      if (!isRuntimeRefusal(reply)) expectOneOf(reply, ['missing_api_key', 'invalid_api_key'])
    }
  },

  'a key counts in no other place: query, cookie, x-api-key': async (client) => {
    const { alice } = client.subject.keys
    const queries = ['api_key', 'key', 'token', 'access_token', 'authorization'].map(
      (name) => `?${name}=${alice}`,
    )
    for (const query of queries)
      expectError(await client.send({ path: `/v1/jobs/x${query}`, as: 'nobody' }), 'missing_api_key')
    for (const name of ['X-Api-Key', 'Api-Key', 'Cookie', 'Proxy-Authorization']) {
      const headers = [
        [name, name === 'Cookie' ? `Authorization=Bearer ${alice}` : `Bearer ${alice}`],
      ] as const
      expectError(await client.send({ path: '/v1/jobs/x', as: 'nobody', headers }), 'missing_api_key')
    }
  },

  'paths under /v1 that do not exist, and methods that are not served, ask for the key first': async (
    client,
  ) => {
    for (const path of ['/v1/nothing', '/v1/models', '/v1/jobs', '/v1/jobs/a/b'])
      expectError(await client.send({ path, as: 'nobody' }), 'missing_api_key')
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expectError(await client.send({ method, path: '/v1/jobs/x', as: 'nobody' }), 'missing_api_key')
  },

  'without a key, nothing of the request is looked at: 401 for any body, type, size and query': async (
    client,
  ) => {
    const requests: readonly Partial<SuiteRequest>[] = [
      { body: client.subject.parsesBodies ? '{}' : '{' },
      { body: quick, contentType: 'text/plain' },
      { body: quick, headers: [['Content-Encoding', 'gzip']], contentType: 'text/plain' },
      { body: quick, path: '/v1/generate?wait=maybe' },
      { body: quick, headers: [['Idempotency-Key', 'k'.repeat(999)]] },
    ]
    for (const request of requests)
      expectError(await client.send({ path: '/v1/generate', as: 'nobody', ...request }), 'missing_api_key')
  },

  '401 arrives though the body never does': async (client) => {
    const declared = [['Content-Length', '5000']] as const
    for (const headers of [declared, [['Transfer-Encoding', 'chunked']] as const]) {
      const connection = client.open()
      const request = {
        path: '/v1/generate',
        method: 'POST',
        as: 'nobody',
        contentType: 'application/json',
      } as const
      connection.write(client.bytes({ ...request, headers }).head)
      if (client.subject.parsesBodies)
        connection.write(headers === declared ? '{}'.padEnd(5000) : '2\r\n{}\r\n0\r\n\r\n')
      expectError(await connection.next(), 'missing_api_key')
      connection.destroy()
    }
  },

  'a token of 8 kB is a wrong key': async (client) => {
    const headers = [['Authorization', `Bearer ${'t'.repeat(8192)}`]] as const
    expectError(await client.send({ path: '/v1/jobs/x', as: 'nobody', headers }), 'invalid_api_key')
  },

  'a token of 64 kB is a wrong key or too much for the host': async (client) => {
    const headers = [['Authorization', `Bearer ${'t'.repeat(65_536)}`]] as const
    const reply = await client.attempt({ path: '/v1/jobs/x', as: 'nobody', headers })
    if (!isRuntimeRefusal(reply)) expectError(reply, 'invalid_api_key')
  },

  'bytes that are no text in the key are a wrong key': async (client) => {
    for (const token of ['\xff\xfe', 'k\u00e9y', 'a\tb', '\x80'.repeat(300)]) {
      const headers = [['Authorization', `Bearer ${token}`]] as const
      const reply = await client.attempt({ path: '/v1/jobs/x', as: 'nobody', headers })
      if (!isRuntimeRefusal(reply)) expectOneOf(reply, ['invalid_api_key', 'missing_api_key'])
    }
  },
}
