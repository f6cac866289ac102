import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import {
  type MountedOperatorPageOptions,
  toOperatorHandler,
  toOperatorMiddleware,
  toOperatorNodeHandler,
} from '@genmount/operator/page'
import express from 'express'
import { expect, test } from 'vitest'
import { served } from '../served.ts'

const express4 = createRequire(import.meta.url)('express4') as typeof express
const get = (method = 'GET', headers: Record<string, string> = {}, path = '/operator') =>
  toOperatorHandler()(new Request(`http://app.example${path}`, { method, headers }))

test('the page of operators takes less than 40 kB gzipped and loads no other file', async () => {
  const html = await get().text()
  expect(gzipSync(html).byteLength).toBeLessThan(40_000)
  const loaded = [...html.matchAll(/<[a-z]+ [^>]*\b(?:src|href)="([^"]{0,20})/g)].map(
    ([, address]) => address,
  )
  expect(loaded).toEqual([expect.stringMatching(/^data:/)])
})

test.each([
  ['Express 4', express4],
  ['Express 5', express],
])('the page of operators is served below any path of an app of %s', async (_name, makeApp) => {
  const app = makeApp()
  app.use('/media/operator', toOperatorMiddleware({ baseUrl: '/media' }))
  const origin = await served(app)
  const pages = ['', '/'].map(async (end) => (await fetch(`${origin}/media/operator${end}`)).text())
  const [page, withSlash] = await Promise.all(pages)
  expect(page).toContain(
    '&quot;mountPath&quot;:&quot;/media/operator&quot;,&quot;baseUrl&quot;:&quot;/media&quot;',
  )
  expect(withSlash).toBe(page)
  expect((await fetch(`${origin}/media/operator/other`)).status).toBe(404)
})

test('the page of operators is at /operator of node:http and of a fetch handler, and nowhere else', async () => {
  const server = createServer(toOperatorNodeHandler())
  const origin = await served((req, res) => void server.emit('request', req, res))
  const paths = ['/', '/operator', '/operator/', '/operator?a=1', '/operator/x', '/operators']
  const statuses = await Promise.all(paths.map(async (path) => (await fetch(origin + path)).status))
  expect(statuses).toEqual([404, 200, 200, 200, 404, 404])
  expect(paths.map((path) => get('GET', {}, path).status)).toEqual(statuses)
})

test('the page of operators answers HEAD without a body, other methods with 405, and a browser that has it with 304', async () => {
  const head = get('HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(get('POST').status).toBe(405)
  expect(get('GET', { 'if-none-match': get().headers.get('etag')! }).status).toBe(304)
})

test.each([
  [{ baseUrl: '/media/' }, /^toOperatorHandler: baseUrl must be .* with no slash at its end/],
  [{ baseUrl: "https://api.example; script-src 'unsafe-inline'" }, /baseUrl must be/],
  [{ mountPath: 'try' }, /mountPath must be '' or a path such as '\/operator'/],
  [{ key: 'secret-0123' }, /^(?!.*secret-0123).*key is not an option; the options are baseUrl, mountPath/],
])('toOperatorHandler throws a TypeError that explains the wrong options %j', (options, words) => {
  const make = () => toOperatorHandler(options as MountedOperatorPageOptions)
  expect(make).toThrow(words)
  expect(make).toThrow(TypeError)
})
