// @module-tag needs/chromium
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { createGenerationService, memoryFileStore, type FileStore } from '@genmount/core'
import { toExpressMiddleware } from '@genmount/express-middleware'
import { apiKeys, corsPolicy, toNodeHandler } from '@genmount/node-http'
import {
  toPlaygroundHandler,
  toPlaygroundMiddleware,
  toPlaygroundNodeHandler,
  type MountedPlaygroundOptions,
} from '@genmount/playground'
import { fakeProvider, quietLog } from '@genmount/testing'
import express from 'express'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../loopback.ts'
import { served } from '../served.ts'
import { formOf, key, openTab, signIn } from './playground-world.ts'

const authenticate = apiKeys({ alice: key })

function newService(files?: FileStore) {
  const service = createGenerationService({ providers: [fakeProvider()], files, log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  return service
}

/** Fails unless the page at this address makes a picture with its service. */
async function expectWorkingPage(address: string) {
  const { page, problems } = await openTab(new URL(address).origin)
  await page.goto(address)
  await signIn(page)
  const { write, generate, card } = formOf(page)
  await write('a kite')
  await generate()
  await card.getByRole('img', { name: 'a kite' }).waitFor()
  expect(problems).toEqual([])
}

describe('the playground makes a picture with the service beside it', () => {
  test.each([
    ['Express 5', express],
    ['Express 4', createRequire(import.meta.url)('express4') as typeof express],
  ])('below any path of an app of %s', async (_name, makeApp) => {
    const app = makeApp()
    app.use('/media/playground', toPlaygroundMiddleware({ baseUrl: '/media' }))
    app.use('/media', toExpressMiddleware(newService(), { authenticate }))
    const origin = await served(app)
    await expectWorkingPage(`${origin}/media/playground`)
    const pages = ['', '/'].map(async (end) => (await fetch(`${origin}/media/playground${end}`)).text())
    const [page, withSlash] = await Promise.all(pages)
    expect(withSlash).toBe(page)
    expect((await fetch(`${origin}/media/playground/other`)).status).toBe(404)
  })

  test('as a fetch handler', async () => {
    const handle = toPlaygroundHandler({ mountPath: '/try' })
    const service = toNodeHandler(newService(), { authenticate })
    const origin = await served(async (req, res) => {
      if (req.url !== '/try') return service(req, res)
      const reply = handle(new Request(`http://app.example${req.url}`))
      return res.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text())
    })
    await expectWorkingPage(`${origin}/try`)
  })

  test('behind a proxy that removes a prefix of the path', async () => {
    const page = toPlaygroundNodeHandler({ mountPath: '/try' })
    const service = toNodeHandler(newService(), { authenticate, trustProxy: true })
    const origin = await served((req, res) => {
      req.url = req.url?.replace(/^\/apps\/gen/, '') ?? ''
      req.headers['x-forwarded-prefix'] = '/apps/gen'
      return page(req, res, () => service(req, res))
    })
    await expectWorkingPage(`${origin}/apps/gen/try`)
  })

  test('at another origin that the service lets in by CORS', async () => {
    const page = await listen((req, res) => void handle(req, res))
    onTestFinished(page.stop)
    const service = toNodeHandler(newService(), {
      authenticate,
      cors: corsPolicy({ origins: [page.origin] }),
    })
    const other = await served(service)
    const handle = toPlaygroundNodeHandler({ baseUrl: other })
    const tab = await openTab(page.origin)
    await tab.page.goto(page.origin)
    await signIn(tab.page)
    const { write, generate, card } = formOf(tab.page)
    await write('a kite')
    await generate()
    const shown = card.getByRole('img', { name: 'a kite' })
    await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(8)
    expect(new Set(tab.problems)).toEqual(new Set([`request to ${other}`]))
  })

  test('with outputs from a bucket at another origin, which gets no API key', async () => {
    const memory = memoryFileStore()
    const heard: (string | undefined)[] = []
    const bucket = await served(async (req, res) => {
      heard.push(req.headers.authorization)
      const file = await memory.open!(decodeURIComponent(req.url?.slice(1) ?? ''))
      res.setHeader('access-control-allow-origin', '*')
      res.setHeader('content-type', file!.contentType)
      return res.end(await new Response(file!.read()).bytes())
    })
    const files: FileStore = {
      ...memory,
      link: async (fileKey) => `${bucket}/${encodeURIComponent(fileKey)}`,
    }
    const service = newService(files)
    const handler = toNodeHandler(service, { authenticate })
    const page = toPlaygroundNodeHandler({ outputOrigins: [bucket] })
    const origin = await served((req, res) => page(req, res, () => handler(req, res)))
    const tab = await openTab(origin)
    await tab.page.goto(origin)
    await signIn(tab.page)
    const { write, generate, card } = formOf(tab.page)
    await write('a kite')
    await generate()
    const shown = card.getByRole('img', { name: 'a kite' })
    await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(8)
    expect(new Set(heard)).toEqual(new Set([undefined]))
    expect(new Set(tab.problems)).toEqual(new Set([`request to ${bucket}`]))
  })

  test('for a visitor who is signed in by a cookie, without an API key', async () => {
    const service = toNodeHandler(newService(), {
      credentials: 'any',
      authenticate: ({ request }) => (request.headers.cookie === 'user=alice' ? { owner: 'alice' } : null),
    })
    const page = toPlaygroundNodeHandler({ credentials: 'any' })
    const origin = await served((req, res) => {
      if (req.url === '/sign-in') return res.setHeader('set-cookie', 'user=alice; Path=/').end('welcome')
      return page(req, res, () => service(req, res))
    })
    const tab = await openTab(origin)
    await tab.page.goto(origin)
    await tab.page.getByLabel('API key').waitFor()
    expect(await tab.page.getByRole('alert').count()).toBe(0)
    await tab.page.goto(`${origin}/sign-in`)
    await tab.page.goto(origin)
    await tab.page.getByRole('button', { name: 'Generate' }).waitFor()
  })

  test('with the API key of its option publicKey, without asking for one', async () => {
    const page = toPlaygroundNodeHandler({ publicKey: key })
    const service = toNodeHandler(newService(), { authenticate })
    const origin = await served((req, res) => page(req, res, () => service(req, res)))
    const tab = await openTab(origin)
    await tab.page.goto(origin)
    await tab.page.getByRole('button', { name: 'Generate' }).waitFor()
    expect(tab.problems).toEqual([])
  })
})

const get = (headers: Record<string, string> = {}, method = 'GET', options?: MountedPlaygroundOptions) =>
  toPlaygroundHandler(options)(new Request('http://app.example/', { method, headers }))

test('the playground takes less than 45 kB gzipped and loads no other file', async () => {
  const html = await get().text()
  expect(gzipSync(html).byteLength).toBeLessThan(45_000)
  // The files that the HTML loads: only its icon, which is a data URI.
  const loaded = [...html.matchAll(/<[a-z]+ [^>]*\b(?:src|href)="([^"]{0,20})/g)].map(
    ([, address]) => address,
  )
  expect(loaded).toEqual([expect.stringMatching(/^data:/)])
})

test('the playground answers a browser that has the current page with 304, and sends the page after a change of options', async () => {
  const first = get()
  const etag = first.headers.get('etag') ?? ''
  expect(first.headers.get('cache-control')).toBe('no-cache')
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = get({ 'if-none-match': tag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'))
  }
  expect(get({ 'if-none-match': etag }, 'GET', { publicKey: 'demo' }).status).toBe(200)
})

test('the playground answers HEAD without a body, other methods with 405 and other paths with 404', async () => {
  const head = get({}, 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
  const post = get({}, 'POST')
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  expect(toPlaygroundHandler()(new Request('http://app.example/other')).status).toBe(404)
  const server = createServer(toPlaygroundNodeHandler({ mountPath: '/try' }))
  const origin = await served((req, res) => void server.emit('request', req, res))
  const statuses = ['/', '/try', '/try/', '/try?a=1', '/try/v1', '/tryout'].map(async (path) => {
    const { status } = await fetch(origin + path)
    return `${path} ${status}`
  })
  expect(await Promise.all(statuses)).toEqual([
    '/ 404',
    '/try 200',
    '/try/ 200',
    '/try?a=1 200',
    '/try/v1 404',
    '/tryout 404',
  ])
})

test('the page is not at a URL in which a guard of the app may see another path, such as Deno makes of a Host header', () => {
  const page = toPlaygroundHandler({ mountPath: '/try' })
  const status = (url: string) => page({ method: 'GET', url, headers: new Headers() } as Request).status
  expect(status('http://app.example/try')).toBe(200)
  for (const url of ['http://a?b/try', 'http://a#b/try', 'http://a\\b/try', '/x/try'])
    expect(status(url), url).toBe(404)
})

test.each([
  [{ baseUrl: 'media' }, /^toPlaygroundHandler: baseUrl must be '', a path such as '\/media', or an address/],
  [{ baseUrl: '/media/' }, /baseUrl must be .* with no slash at its end/],
  [{ baseUrl: 'javascript:alert(1)' }, /baseUrl must be/],
  [{ baseUrl: "https://api.example; script-src 'unsafe-inline'" }, /baseUrl must be/],
  [{ outputOrigins: ['https://bucket.example/path'] }, /outputOrigins must be a list of origins/],
  [{ outputOrigins: ['*'] }, /outputOrigins must be/],
  [{ publicKey: '' }, /publicKey must be a text/],
  [{ credentials: 'cookie' }, /credentials must be 'bearer' or 'any'/],
  [{ mountPath: 'try' }, /mountPath must be '' or a path such as '\/playground'/],
  [{ mountpath: '/try' }, /mountpath is not an option; the options are baseUrl, outputOrigins/],
])('toPlaygroundHandler throws a TypeError that explains the wrong options %j', (options, words) => {
  expect(() => toPlaygroundHandler(options as MountedPlaygroundOptions)).toThrow(words)
  expect(() => toPlaygroundHandler(options as MountedPlaygroundOptions)).toThrow(TypeError)
})
