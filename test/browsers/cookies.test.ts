// @module-tag needs/chromium
import { createGenerationService } from '@genmount/core'
import { corsPolicy, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import { proceduralProvider } from '@genmount/provider-procedural'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'
import { openContext, servedPage, shows } from './open-page.ts'

/** An app whose visitors are signed in as soon as they come, and who may create jobs from the pages of these origins. */
async function servedApp(origins: readonly string[]) {
  const provider = fakeProvider()
  const service = createGenerationService({ providers: [provider, proceduralProvider()], log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  const handler = toNodeHandler(service, {
    credentials: 'any',
    authenticate: ({ request }) =>
      request.headers.cookie?.includes('user=alice') ? { owner: 'alice' } : null,
    cors: corsPolicy({ origins }),
  })
  const app = await served((request, response) => {
    if (request.url?.startsWith('/v1/')) return handler(request, response)
    // Browsers send such a cookie with requests of all pages of the same site, whatever their port.
    response.setHeader('set-cookie', 'user=alice; HttpOnly; SameSite=Strict; Path=/')
    return response.setHeader('content-type', 'text/html').end('<!doctype html>')
  })
  return { app, submits: () => provider.submits.length }
}

/** Creates a job from the page as its scripts can. @returns the status, or `undefined` when the page can't read it */
function create([app, contentType]: readonly [app: string, contentType: string]) {
  const body = JSON.stringify({ model: 'fake-image', prompt: 'a kite' })
  const request = {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': contentType },
    body,
  } as const
  return fetch(`${app}/v1/generate`, request).then(
    ({ status }) => status,
    () => undefined,
  )
}

test('a page creates a job with the cookie of its visitor and shows the output in an <img>, without an API key or a link', async () => {
  const { app } = await servedApp(['https://app.example'])
  const page = await (await openContext()).newPage()
  await page.goto(app)
  const file = await page.evaluate(async () => {
    const body = JSON.stringify({ model: 'procedural-image', prompt: 'a kite' })
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch('/v1/generate?wait=true', { method: 'POST', headers, body })
    return ((await reply.json()) as { data: { url: string }[] }).data[0]!.url
  })
  expect(await shows(page, 'img', file)).toBe(true)
})

test('a page of another origin that cors does not list creates no job, although the browser sends the cookie of its visitor', async () => {
  const [listed, evil] = [await servedPage(), await servedPage()]
  const { app, submits } = await servedApp([listed])
  const page = await (await openContext()).newPage()
  await page.goto(app)
  await page.goto(evil)
  for (const type of ['application/json', 'text/plain'])
    expect(await page.evaluate(create, [app, type] as const)).toBeUndefined()
  const [sent] = await Promise.all([
    page.waitForResponse(`${app}/v1/generate`),
    page.waitForURL(`${app}/v1/generate`),
    page.evaluate((url) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', action: `${url}/v1/generate`, enctype: 'text/plain' })
      const field = document.createElement('input')
      Object.assign(field, { name: '{"model":"fake-image","prompt":"', value: '"}' })
      form.append(field)
      document.body.append(form)
      form.submit()
    }, app),
  ])
  expect(await sent.request().headerValue('cookie')).toBe('user=alice')
  expect(sent.status()).toBe(403)
  expect(submits()).toBe(0)

  await page.goto(listed)
  expect(await page.evaluate(create, [app, 'application/json'] as const)).toBe(202)
  expect(submits()).toBe(1)
})
