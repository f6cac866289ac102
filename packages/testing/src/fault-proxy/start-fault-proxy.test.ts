import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { type ProxyFault, startFaultProxy } from '@genmount/testing'

/** A vendor that takes tasks, and a proxy in front of it. */
async function proxied(fault?: ProxyFault) {
  const taken: unknown[] = []
  const vendor = createServer(async (request, response) => {
    taken.push(request.method === 'POST' ? await json(request) : request.url)
    const headers = { 'content-type': 'application/json', 'x-units': '3', 'set-cookie': ['a=1', 'b=2'] }
    response.writeHead(201, headers).end('{"id":"task-1","status":"queued"}')
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const { port } = vendor.address() as AddressInfo
  const proxy = await startFaultProxy(`http://127.0.0.1:${port}/v1/`, () => fault)
  onTestFinished(async () => {
    await proxy.close()
    vendor.closeAllConnections()
    await once(vendor.close(), 'close')
  })
  const submit = (init: RequestInit = {}) =>
    fetch(`${proxy.baseUrl}/tasks?n=1`, { method: 'POST', body: '{"prompt":"a fox"}', ...init })
  return { proxy, taken, submit }
}

test('startFaultProxy passes a request without a fault on to the vendor, and the answer back, unchanged', async () => {
  const { proxy, taken, submit } = await proxied()
  const answer = await submit({ headers: { authorization: 'Bearer key' } })
  expect([answer.status, answer.headers.get('x-units'), answer.headers.getSetCookie()]).toEqual([
    201,
    '3',
    ['a=1', 'b=2'],
  ])
  expect(await answer.json()).toEqual({ id: 'task-1', status: 'queued' })
  expect(proxy.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  await fetch(`${proxy.baseUrl}/tasks/1`)
  expect(taken).toEqual([{ prompt: 'a fox' }, '/v1/tasks/1'])
  expect(proxy.requests).toMatchObject([
    { method: 'POST', path: '/v1/tasks?n=1', headers: { authorization: 'Bearer key' } },
    { method: 'GET', path: '/v1/tasks/1' },
  ])
  expect(String(proxy.requests[0]?.body)).toBe('{"prompt":"a fox"}')
})

test('the fault cut-before costs no task at the vendor, and the fault cut-after costs one', async () => {
  for (const [fault, count] of [
    ['cut-before', 0],
    ['cut-after', 1],
  ] as const) {
    const { proxy, taken, submit } = await proxied(fault)
    await expect(submit()).rejects.toThrow('fetch failed')
    expect([taken.length, proxy.requests.length]).toEqual([count, 1])
  }
})

test('the fault half-body sends the status, the headers and half of the body of the vendor, and then breaks off', async () => {
  const { taken, submit } = await proxied('half-body')
  const answer = await submit()
  expect([answer.status, answer.headers.get('content-length')]).toEqual([201, '33'])
  await expect(answer.text()).rejects.toThrow('terminated')
  expect(taken).toHaveLength(1)
})

test('the fault silence sends no answer until the caller leaves, and the fault delayMs sends the answer late', async () => {
  const silent = await proxied('silence')
  const leaving = new AbortController()
  const asked = silent.submit({ signal: leaving.signal })
  await expect.poll(() => silent.taken.length).toBe(1)
  leaving.abort(new Error('Time is up.'))
  await expect(asked).rejects.toThrow('Time is up.')

  const late = await proxied({ delayMs: 50 })
  const began = performance.now()
  expect((await late.submit()).status).toBe(201)
  expect(performance.now() - began).toBeGreaterThanOrEqual(49)
})

test('the fault status answers instead of the vendor, which gets no request', async () => {
  const { taken, submit } = await proxied({ status: 429, headers: { 'retry-after': '7' }, json: { a: 1 } })
  const answer = await submit()
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
    429,
    '7',
    { a: 1 },
  ])
  expect(taken).toEqual([])
})

test('startFaultProxy throws an error when the vendor is no http URL', async () => {
  for (const vendor of ['', 'acme', 'https://api.acme.example'])
    await expect(startFaultProxy(vendor)).rejects.toThrow('vendor must be an http URL of a test server')
})
