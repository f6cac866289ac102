import { expect, test } from 'vitest'
import { vendorFetch } from './vendor-fetch.ts'

/** What reaches the `fetch` below. */
async function sent(init?: RequestInit): Promise<RequestInit> {
  let seen: RequestInit = {}
  const fetch = vendorFetch(async (_input, init = {}) => {
    seen = init
    return new Response()
  })
  await fetch('https://acme.example/tasks', init)
  return seen
}

test('a text is sent as a Blob, which Deno does not send again, and keeps its media type', async () => {
  const headers = { 'content-type': 'application/json' }
  const { body, ...init } = await sent({ method: 'POST', body: '{"prompt":"ü"}', headers })
  expect(body).toBeInstanceOf(Blob)
  expect(await (body as Blob).text()).toBe('{"prompt":"ü"}')
  expect(init).toEqual({ method: 'POST', headers, redirect: 'error' })
  const form = new FormData()
  expect((await sent({ method: 'POST', body: form })).body).toBe(form)
})

test('a request with a body or a key follows no redirect, a request for a public file does', async () => {
  for (const name of ['authorization', 'x-key', 'x-goog-api-key', 'Cookie'])
    expect((await sent({ headers: { [name]: 'k' } })).redirect).toBe('error')
  expect(await sent()).toEqual({})
  expect(await sent({ headers: { accept: 'image/*' } })).toEqual({ headers: { accept: 'image/*' } })
  expect((await sent({ redirect: 'manual', headers: { 'x-key': 'k' } })).redirect).toBe('manual')
})
