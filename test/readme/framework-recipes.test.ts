import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createApp, createRouter, type EventHandler, toNodeListener } from 'h3'
import type Koa from 'koa'
import { expect, test } from 'vitest'
import { served } from '../served.ts'
import { codeBlocks } from './code-blocks.ts'
import * as prelude from './prelude.ts'
import { readerFolder } from './reader-folder.ts'

Object.assign(globalThis, prelude)

type Fetch = (request: Request) => Response | Promise<Response>
type Route = (event: { readonly request: Request }) => Response | Promise<Response>

/** Runs the recipes of frameworks that make a request listener or a fetch handler from the exports of a route. */
const fromFetch = (fetch: Fetch): RequestListener =>
  getRequestListener((request) => fetch(request), { overrideGlobalObjects: false })

/** The recipes by the import or export that only they have, and how their framework serves what they export. */
const frameworks: Readonly<Record<string, { mark: string; listener(exported: any): RequestListener }>> = {
  Koa: { mark: "from 'koa'", listener: ({ koa }: { koa: Koa }) => koa.callback() },
  Elysia: {
    mark: "from 'elysia'",
    listener: (exported: { default: { fetch: Fetch } }) => fromFetch(exported.default.fetch),
  },
  SvelteKit: {
    mark: 'handle as fallback',
    listener: ({ GET, fallback }: Readonly<Record<string, Route>>) =>
      fromFetch((request) => (request.method === 'GET' ? GET! : fallback!)({ request })),
  },
  Nuxt: {
    mark: "from 'h3'",
    listener: (exported: { default: EventHandler }) =>
      toNodeListener(createApp().use(createRouter().use('/media/v1/**', exported.default))),
  },
  Astro: {
    mark: 'export const ALL',
    listener: ({ ALL }: { ALL: Route }) => fromFetch((request) => ALL({ request })),
  },
  'React Router': {
    mark: 'handle as loader',
    listener: ({ action, loader }: Readonly<Record<string, Route>>) =>
      fromFetch((request) => (request.method === 'GET' ? loader! : action!)({ request })),
  },
}

const blocks = codeBlocks('ts').filter(({ readme }) => readme === 'packages/docs/pages/other-frameworks.md')
const fileOf = (name: string) => `${name.replace(' ', '-').toLowerCase()}.ts`
const recipe = (mark: string) => blocks.find(({ code }) => code.includes(mark))?.code ?? ''

const folder = readerFolder({
  'package.json': { type: 'module' },
  ...Object.fromEntries(
    Object.entries(frameworks).map(([name, { mark }]) => [
      fileOf(name),
      // The test serves Koa's app on a port of its own.
      recipe(mark).replace('koa.listen(3000)', 'export { koa }'),
    ]),
  ),
})

test('the page about other frameworks has a recipe of at most 15 lines for each', () => {
  expect(blocks).toHaveLength(Object.keys(frameworks).length)
  for (const { code } of blocks) expect(code.trim().split('\n').length).toBeLessThanOrEqual(15)
})

test.each(Object.entries(frameworks))(
  'the recipe for %s makes a picture, gives a link that loads, and deletes the job',
  async (name, { listener }) => {
    const origin = await served(listener(await import(join(folder, fileOf(name)))))
    const send = (path: string, init?: RequestInit) =>
      fetch(`${origin}/media/v1${path}`, {
        ...init,
        headers: { authorization: 'Bearer a-long-random-key', 'content-type': 'application/json' },
      })
    const body = JSON.stringify({ model: 'fake-image', prompt: 'a kite' })
    const created = await send('/generate?wait=true', { method: 'POST', body })
    expect(created.status).toBe(200)
    const { id } = (await created.json()) as { readonly id: string }
    const file = await send(`/files/${id}`)
    expect(file.url).toMatch(`${origin}/media/v1/outputs/`)
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(0)
    expect((await send(`/jobs/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await fetch(`${origin}/media/v1/jobs/${id}`)).status).toBe(401)
  },
)
