import assert from 'node:assert/strict'
import { until } from '../../until.ts'
import { apiKey, exampleBody } from '../workload.ts'
import type { MeasuredServer } from './measure.ts'

/** The headers that all servers must send alike, or not send. */
const headerNames = [
  'content-type',
  'cache-control',
  'etag',
  'retry-after',
  'www-authenticate',
  'location',
  'x-request-id',
]

/** @throws Error when the servers answer requests of all kinds differently */
export async function checkSameWork(servers: readonly MeasuredServer[]): Promise<void> {
  const [first, ...others] = await Promise.all(servers.map(workOf))
  for (const [index, work] of others.entries())
    assert.deepEqual(work, first, `${servers[index + 1]!.peer.name} does other work.`)
}

/** What a server does with requests of all kinds, without what differs between equal answers. */
async function workOf({ url, ids, peer }: MeasuredServer) {
  const job = `/v1/jobs/${ids[0]}`
  const create = '/v1/video/generations'
  const created = await send(url, create, { body: exampleBody })
  if (peer.runsJobs)
    await until(async () => (await send(url, `/v1/jobs/${created.id}`)).status === 'completed')
  const answers = [
    created,
    await send(url, job),
    await send(url, job, { key: '' }),
    await send(url, job, { key: `${apiKey.slice(0, -1)}0` }),
    await send(url, job.replace(/.$/, 'x')),
    await send(url, '/v1/elsewhere'),
    await send(url, create, { body: { ...exampleBody, resolution: '8k' } }),
  ]
  return answers.map(({ shown }) => shown)
}

async function send(
  url: string,
  path: string,
  request: { readonly key?: string; readonly body?: object } = {},
) {
  const { key = apiKey, body } = request
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const value = JSON.parse(text)
  const { id, status, error } = value
  const headers = headerNames.map((name) => response.headers.get(name)?.replace(/[ ;].*/, ''))
  assert.equal(response.headers.get('content-length'), String(text.length))
  assert.equal(error?.request_id ?? headers.at(-1), headers.at(-1))
  const code = response.status === 401 ? '' : error?.code
  // Whether a job has started when its create is answered differs.
  const shown = error ? { code, fields: Object.keys(error) } : { ...value, started_at: '' }
  const same = JSON.stringify([response.status, headers, shown])
    .replaceAll(url, '')
    .replaceAll(id, 'the id')
    .replaceAll(/"req_[\da-f-]{36}"/g, '"a request id"')
    .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"an instant"')
  // The jobs that are read have the same length, too.
  return { id, status, shown: [JSON.parse(same), status === 'completed' && text.length] }
}
