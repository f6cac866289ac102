import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiKey, exampleBody, readableBody } from '../workload.ts'
import type { MeasuredServer } from './measure.ts'

const jobFields =
  'id object model output_kind status created_at started_at completed_at expires_at retention_days error cost_usd ' +
  'input timings urls data'
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const lifeMs = 10_000

/**
 * Checks that a server does the same work as all others: the same statuses, bodies and headers.
 * @returns how many bytes the body of a finished job has
 */
export async function checkPeer(server: MeasuredServer): Promise<number> {
  const { url, ids, peer } = server
  const fail = (cause: unknown) => Promise.reject(new Error(`${peer.name} does other work.`, { cause }))
  const bytes = await checkReads(url, ids[0]!).catch(fail)
  await checkRefusals(url, ids[0]!).catch(fail)
  await checkCreates(url, peer.runsJobs ?? peer.isOurs).catch(fail)
  return bytes
}

async function checkReads(url: string, id: string): Promise<number> {
  const { status, headers, text, value } = await ask(`${url}/v1/jobs/${id}`)
  assert.equal(status, 200)
  assert.equal(Object.keys(value).join(' '), jobFields)
  assert.equal(value.id, id)
  assert.equal(value.object, 'generation')
  assert.equal(value.status, 'completed')
  for (const field of ['created_at', 'started_at', 'completed_at', 'expires_at'])
    assert.match(value[field], instant)
  const { model, ...input } = readableBody
  assert.equal(value.model, model)
  assert.deepEqual(value.input, input)
  assert.deepEqual(value.urls, { get: `${url}/v1/jobs/${id}` })
  assert.deepEqual(value.data, [{ url: `${url}/v1/files/${id}` }])
  assert.equal(headers.get('retry-after'), null)
  return text.length
}

async function checkRefusals(url: string, id: string): Promise<void> {
  for (const key of [undefined, `${apiKey.slice(0, -1)}0`]) {
    const refused = await ask(`${url}/v1/jobs/${id}`, { key })
    checkError(refused, 401)
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer/)
  }
  checkError(await ask(`${url}/v1/jobs/${id.replace(/.$/, 'x')}`), 404, 'job_not_found')
  checkError(await ask(`${url}/v1/elsewhere`), 404, 'route_not_found')
  const invalid = { ...exampleBody, resolution: '8k' }
  checkError(await ask(`${url}/v1/video/generations`, { body: invalid }), 400, 'invalid_request')
}

async function checkCreates(url: string, endsJobs: boolean): Promise<void> {
  const { status, headers, value } = await ask(`${url}/v1/video/generations`, { body: exampleBody })
  assert.equal(status, 202)
  assert.equal(Object.keys(value).join(' '), jobFields)
  assert.equal(value.status, 'processing')
  assert.equal(headers.get('location'), `${url}/v1/jobs/${value.id}`)
  assert.equal(headers.get('retry-after'), '3')
  const until = Date.now() + lifeMs
  for (;;) {
    const read = await ask(`${url}/v1/jobs/${value.id}`)
    assert.equal(read.status, 200)
    if (!endsJobs || read.value.status === 'completed') return
    assert(Date.now() < until, 'The job does not end.')
    await sleep(100)
  }
}

async function ask(url: string, asked: { readonly key?: string | undefined; readonly body?: object } = {}) {
  const { key, body } = { key: apiKey, ...asked }
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { status, headers } = response
  const text = await response.text()
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('content-length'), String(text.length))
  assert.match(headers.get('x-request-id') ?? '', /^req_[\da-f-]{36}$/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('etag'), null)
  return { status, headers, text, value: JSON.parse(text) }
}

function checkError(
  { status, headers, value }: Awaited<ReturnType<typeof ask>>,
  expected: number,
  code?: string,
) {
  assert.equal(status, expected)
  assert.deepEqual(Object.keys(value.error), ['message', 'type', 'param', 'code', 'request_id'])
  assert.equal(value.error.request_id, headers.get('x-request-id'))
  if (code !== undefined) assert.equal(value.error.code, code)
}
