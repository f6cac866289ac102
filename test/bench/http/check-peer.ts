import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiKey, exampleBody, readableBody } from '../workload.ts'
import type { MeasuredServer } from './measure.ts'

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const requestId = /^req_[\da-f-]{36}$/
const lifeMs = 10_000
const errorFields = ['message', 'type', 'param', 'code', 'request_id']
const jobFields = (
  'id object model output_kind status created_at started_at completed_at expires_at retention_days error cost_usd ' +
  'input timings urls data'
).split(' ')

/**
 * Checks that a server does the same work as all others: the same statuses, bodies and headers.
 * @returns how many bytes the body of a finished job has
 */
export async function checkPeer(server: MeasuredServer): Promise<number> {
  const { url, ids, peer } = server
  const id = ids[0]!
  try {
    const bytes = await checkRead(url, id)
    const badKey = `${apiKey.slice(0, -1)}0`
    const body = { ...exampleBody, resolution: '8k' }
    checkRefusal(await send(`${url}/v1/jobs/${id}`, { key: undefined }), 401)
    checkRefusal(await send(`${url}/v1/jobs/${id}`, { key: badKey }), 401)
    checkRefusal(await send(`${url}/v1/jobs/${id.replace(/.$/, 'x')}`), 404, 'job_not_found')
    checkRefusal(await send(`${url}/v1/elsewhere`), 404, 'route_not_found')
    checkRefusal(await send(`${url}/v1/video/generations`, { body }), 400, 'invalid_request')
    await checkCreate(url, peer.runsJobs ?? peer.isOurs)
    return bytes
  } catch (cause) {
    throw new Error(`${peer.name} does other work.`, { cause })
  }
}

async function checkRead(url: string, id: string): Promise<number> {
  const { status, headers, text, value } = await send(`${url}/v1/jobs/${id}`)
  const { model, ...input } = readableBody
  const urls = { get: `${url}/v1/jobs/${id}` }
  const data = [{ url: `${url}/v1/files/${id}` }]
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(value), jobFields)
  assert.partialDeepStrictEqual(value, {
    id,
    object: 'generation',
    status: 'completed',
    model,
    input,
    urls,
    data,
  })
  for (const field of jobFields.filter((name) => name.endsWith('_at'))) assert.match(value[field], instant)
  assert.equal(headers.get('retry-after'), null)
  return text.length
}

function checkRefusal(
  { status, headers, value }: Awaited<ReturnType<typeof send>>,
  expected: number,
  code?: string,
) {
  assert.equal(status, expected)
  assert.deepEqual(Object.keys(value.error), errorFields)
  assert.equal(value.error.request_id, headers.get('x-request-id'))
  if (code !== undefined) assert.equal(value.error.code, code)
  if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^Bearer/)
}

async function checkCreate(url: string, endsJobs: boolean): Promise<void> {
  const { status, headers, value } = await send(`${url}/v1/video/generations`, { body: exampleBody })
  assert.equal(status, 202)
  assert.deepEqual(Object.keys(value), jobFields)
  assert.equal(value.status, 'processing')
  assert.equal(headers.get('location'), `${url}/v1/jobs/${value.id}`)
  assert.equal(headers.get('retry-after'), '3')
  for (const until = Date.now() + lifeMs; ; await sleep(100)) {
    const read = await send(`${url}/v1/jobs/${value.id}`)
    assert.equal(read.status, 200)
    if (!endsJobs || read.value.status === 'completed') return
    assert(Date.now() < until, 'The job does not end.')
  }
}

/** Sends a request, and checks what all answers have in common. */
async function send(
  url: string,
  request: { readonly key?: string | undefined; readonly body?: object } = {},
) {
  const { key, body } = { key: apiKey, ...request }
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...authorization },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { status, headers } = response
  const text = await response.text()
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.equal(headers.get('content-length'), String(text.length))
  assert.match(headers.get('x-request-id') ?? '', requestId)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('etag'), null)
  return { status, headers, text, value: JSON.parse(text) }
}
