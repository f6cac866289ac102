import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import type { ErrorCode } from '@genmount/core'
import { errorCodes } from '@genmount/core'
import { expectError, expectOneOf, isRuntimeRefusal } from './expect-error.ts'
import { expectJob } from './expect-job.ts'
import type { Reply } from './reply.ts'
import type { SuiteRequest } from './request.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import { anything, endless, quick, suiteLimits } from './suite-jobs.ts'

/**
 * Sends a body that must be refused with one of the codes. An app that parses bodies itself may refuse it
 * with an error of its own, whose status must be that of one of the codes.
 */
async function expectRefused(
  client: SuiteClient,
  request: Partial<SuiteRequest>,
  codes: ErrorCode[],
): Promise<void> {
  const reply = await client.attempt({ path: '/v1/generate', ...request })
  if (client.subject.parsesBodies && reply && !reply.headers.has('x-request-id'))
    assert(
      codes.some((code) => errorCodes[code].status === reply.status),
      reply.head,
    )
  else expectOneOf(reply, codes)
}

/** The body of a create that is exactly `size` bytes long. */
function bodyOfSize(size: number): string {
  const body = JSON.stringify({ ...anything, prompt: '' })
  return body.replace('""', `"${'x'.repeat(size - body.length)}"`)
}

export const bodyCases: Cases = {
  'a body that is not JSON is 400 invalid_json': async (client) => {
    const broken = [
      '{',
      'nope',
      '{"model":}',
      "{'model':1}",
      '{"model":"fake-image",}',
      'NaN',
      '{"a":1}{"b":2}',
      '\u0000',
    ]
    for (const body of broken) await expectRefused(client, { body }, ['invalid_json'])
  },

  'a create without a body is a 400': async (client) => {
    for (const contentLength of [0, undefined])
      await expectRefused(client, { method: 'POST', contentType: 'application/json', contentLength }, [
        'invalid_json',
        'missing_field',
        'invalid_request',
      ])
  },

  'JSON that is not an object is a 400': async (client) => {
    for (const body of ['[]', 'null', '5', '"text"', 'true', '[{"model":"fake-image","prompt":"a kite"}]'])
      await expectRefused(client, { body }, ['invalid_request', 'invalid_json', 'missing_field'])
  },

  'JSON nested 100,000 deep is a 400, closed or not, in lists and in objects': async (client) => {
    const open = '['.repeat(100_000)
    const bodies = [
      open,
      `{"model":"suite-anything","deep":${open}${']'.repeat(100_000)}}`,
      `{"model":"suite-anything","deep":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`,
    ]
    for (const body of bodies) await expectRefused(client, { body }, ['invalid_json', 'invalid_request'])
  },

  '__proto__ as a field name is refused at every depth and in every spelling': async (client) => {
    const bodies = [
      '{"model":"suite-anything","__proto__":{"polluted":true}}',
      '{"model":"suite-anything","a":{"b":{"__proto__":{"polluted":true}}}}',
      '{"model":"suite-anything","list":[1,[{"__proto__":[]}]]}',
      '{"model":"suite-anything","\\u005f_proto__":null}',
      '{"__proto__":{"model":"suite-anything"}}',
    ]
    for (const body of bodies) await expectRefused(client, { body }, ['invalid_request', 'invalid_json'])
  },

  'fields called constructor or prototype pollute nothing': async (client) => {
    const body = '{"model":"suite-anything","constructor":{"prototype":{"polluted":true}}}'
    const reply = await client.send({ path: '/v1/generate', body })
    if (reply.status !== 400) expectJob(reply, 202, client)
    const job = await client.create({ ...anything, prompt: 'after' })
    assert.deepEqual({ ...job.input }, { prompt: 'after' })
  },

  // RFC 8259, 8.1: JSON on a network is UTF-8.
  'a body that is not UTF-8 is 400 invalid_json': async (client) => {
    const wrap = (bytes: number[]) =>
      Buffer.concat([
        Buffer.from('{"model":"suite-anything","prompt":"'),
        Buffer.from(bytes),
        Buffer.from('"}'),
      ])
    for (const body of [
      wrap([0xff]),
      wrap([0xc3, 0x28]),
      wrap([0xed, 0xa0, 0x80]),
      Buffer.from(JSON.stringify(quick), 'utf16le'),
    ]) {
      const reply = await client.attempt({ path: '/v1/generate', body })
      if (!client.subject.parsesBodies) expectError(reply, 'invalid_json')
    }
  },

  'a byte order mark in front of a body is a job or a 400': async (client) => {
    const reply = await client.attempt({ path: '/v1/generate', body: `\ufeff${JSON.stringify(quick)}` })
    if (reply?.status !== 202) expectOneOf(reply, ['invalid_json'])
  },

  'a create that is not application/json is 415': async (client) => {
    const types = [
      undefined,
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonx',
      'json',
    ]
    for (const contentType of [...types, 'multipart/form-data; boundary=x', 'text/plain; application/json'])
      expectError(
        await client.send({ path: '/v1/generate', body: quick, contentType }),
        'unsupported_media_type',
      )
  },

  'application/json is understood in capitals and with a charset': async (client) => {
    const types = [
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;charset="UTF-8"',
      'application/json ; x=y',
    ]
    for (const contentType of types)
      expectJob(await client.send({ path: '/v1/generate', body: quick, contentType }), 202, client)
  },

  'a compressed body is 415': async (client) => {
    const body = gzipSync(JSON.stringify(quick))
    await expectRefused(client, { body, headers: [['Content-Encoding', 'gzip']] }, ['unsupported_media_type'])
    for (const encoding of ['br', 'deflate', 'zstd', 'gzip, identity', 'x-unknown'])
      await expectRefused(client, { body: quick, headers: [['Content-Encoding', encoding]] }, [
        'unsupported_media_type',
        ...(client.subject.parsesBodies ? (['invalid_json'] as const) : []),
      ])
  },

  'a body of exactly the limit is read, one byte more is 413': async (client) => {
    expectJob(
      await client.send({ path: '/v1/generate', body: bodyOfSize(suiteLimits.maxBodyBytes) }),
      202,
      client,
    )
    await expectRefused(client, { body: bodyOfSize(suiteLimits.maxBodyBytes + 1) }, ['request_too_large'])
  },

  'a body that is declared too large is 413 before it is sent': async (client) => {
    // express.json() does not answer before it has the whole body.
    if (client.subject.parsesBodies) return
    for (const length of ['100000000', '99999999999']) {
      const connection = client.open()
      const headers = [['Content-Length', length]] as const
      const request = { path: '/v1/generate', method: 'POST', contentType: 'application/json', headers }
      connection.write(client.bytes(request).head)
      const reply = await connection.next()
      if (isRuntimeRefusal(reply)) assert.equal(reply?.status, 413)
      else expectError(reply, 'request_too_large')
      connection.destroy()
    }
  },

  'GET needs no body and ignores one, with or without Content-Type': async (client) => {
    const { id } = await client.create(endless)
    for (const contentType of [undefined, 'application/json', 'text/plain'])
      expectJob(await client.send({ path: `/v1/jobs/${id}`, contentType }), 200, client)
    const withBody = await client.send({ method: 'GET', path: `/v1/jobs/${id}`, body: '{"ignored":true}' })
    expectJob(withBody, 200, client)
  },

  'a create says what it wants in its body alone: the query adds no field': async (client) => {
    const reply: Reply = await client.send({
      path: '/v1/generate?model=fake-image',
      body: { prompt: 'a kite' },
    })
    expectError(reply, 'missing_field', { param: 'model' })
  },
}
