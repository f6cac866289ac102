// @module-tag needs/chromium
import { createGenerationService, memoryFileStore, type FileStore } from '@genmount/core'
import { apiKeys, corsPolicy, toNodeHandler } from '@genmount/node-http'
import { proceduralProvider } from '@genmount/provider-procedural'
import { quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'
import { openContext, servedPage, shows } from './open-page.ts'

const key = 'alice-key'
const picture = { model: 'procedural-image', prompt: 'a kite' }
const shape = { resolution: '480p', aspect_ratio: '1:1', duration: 1, fps: 12 }
const film = { ...shape, model: 'procedural-video', prompt: 'a kite' }

/** A service for pages of these origins, in an app that by default keeps all it serves to its own origin. */
async function servedFor(origins: readonly string[]) {
  const opened: string[] = []
  const memory = memoryFileStore()
  const files: FileStore = {
    ...memory,
    open: (fileKey) => {
      opened.push(fileKey)
      return memory.open!(fileKey)
    },
  }
  const service = createGenerationService({ providers: [proceduralProvider()], files, log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  const authenticate = apiKeys({ alice: key })
  const handler = toNodeHandler(service, { authenticate, cors: corsPolicy({ origins }) })
  const base = await served((request, response) => {
    response.setHeader('cross-origin-resource-policy', 'same-origin')
    handler(request, response)
  })
  return { base, opened }
}

/** Makes an output from outside of the browser. @returns the address of its file, and a link to it */
async function made(base: string, body: object) {
  const authorization = `Bearer ${key}`
  const headers = { authorization, 'content-type': 'application/json' }
  const create = { method: 'POST', headers, body: JSON.stringify(body) }
  const job = (await (await fetch(`${base}/v1/generate?wait=true`, create)).json()) as {
    data: readonly { url: string }[]
  }
  const file = job.data[0]!.url
  return { file, link: await linkTo(file) }
}

async function linkTo(file: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(file, { headers, redirect: 'manual' })).headers.get('location')!
}

test('a page of an origin that cors lists creates a job with an API key, reads errors, and shows the output by its link', async () => {
  // A page with this header shows only files that allow other origins.
  const pageOrigin = await servedPage({ 'cross-origin-embedder-policy': 'require-corp' })
  const { base } = await servedFor([pageOrigin])
  const page = await (await openContext()).newPage()
  await page.goto(pageOrigin)
  const seen = await page.evaluate(
    async ([url, token, create]) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'wait=50',
      }
      const created = await fetch(`${url}/v1/generate`, { method: 'POST', headers, body: create })
      const job = (await created.json()) as { status: string; data: { url: string }[] }
      const { authorization } = headers
      const { url: link } = await fetch(job.data[0]!.url, { method: 'HEAD', headers: { authorization } })
      const part = await fetch(link, { headers: { range: 'bytes=0-7' } })
      const refused = await fetch(`${url}/v1/jobs/x`)
      const busy = await fetch(`${url}/v1/generate`, {
        method: 'POST',
        headers: { authorization },
        body: '{',
      })
      return {
        status: job.status,
        location: created.headers.get('location'),
        link,
        range: part.headers.get('content-range'),
        bytes: (await part.arrayBuffer()).byteLength,
        refused: ((await refused.json()) as { error: { code: string } }).error.code,
        challenge: refused.headers.get('www-authenticate'),
        busy: busy.status,
        requestId: busy.headers.get('x-request-id'),
      }
    },
    [base, key, JSON.stringify(picture)] as const,
  )
  expect(seen).toMatchObject({
    status: 'completed',
    location: expect.stringMatching(`^${base}/v1/jobs/gen_`),
    link: expect.stringMatching(`^${base}/v1/outputs/`),
    range: expect.stringMatching(/^bytes 0-7\/\d+$/),
    bytes: 8,
    refused: 'missing_api_key',
    challenge: 'Bearer',
    busy: 415,
    requestId: expect.stringMatching(/^req_/),
  })
  expect(await shows(page, 'img', seen.link)).toBe(true)
  expect(await shows(page, 'img', seen.link, 'anonymous')).toBe(true)
  const pixels = await page.evaluate(() => {
    const [, image] = document.querySelectorAll('img')
    const context = document.createElement('canvas').getContext('2d')!
    context.drawImage(image!, 0, 0)
    return context.getImageData(0, 0, 4, 4).data.length
  })
  expect(pixels).toBe(64)
})

test('a page of an origin that cors does not list shows an output by its link, but reads neither the output nor the API', async () => {
  const { base } = await servedFor(['https://app.example'])
  const [image, video] = [await made(base, picture), await made(base, film)]
  const page = await (await openContext()).newPage()
  await page.goto(await servedPage())
  expect(await shows(page, 'img', image.link)).toBe(true)
  expect(await shows(page, 'video', video.link)).toBe(true)
  expect(await shows(page, 'img', image.link, 'anonymous')).toBe(false)
  expect(await shows(page, 'video', video.link, 'anonymous')).toBe(false)
  // The URL in the job needs a bearer token, which an element does not send.
  expect(await shows(page, 'img', image.file)).toBe(false)
  const reads = await page.evaluate(
    ([link, file, authorization]) => {
      const canRead = (url: string, headers = {}) => fetch(url, { headers }).then(Boolean, () => false)
      return Promise.all([canRead(link), canRead(file, { authorization }), canRead(file)])
    },
    [image.link, image.file, `Bearer ${key}`] as const,
  )
  expect(reads).toEqual([false, false, false])
})

test('a film plays and seeks by its link, and a page that is loaded again takes a picture from the cache of the browser', async () => {
  const pageOrigin = await servedPage()
  const { base, opened } = await servedFor([pageOrigin])
  const [image, video] = [await made(base, picture), await made(base, film)]
  const page = await (await openContext()).newPage()
  await page.goto(pageOrigin)
  expect(await shows(page, 'video', video.link)).toBe(true)
  const soughtTo = await page.evaluate(async () => {
    const element = document.querySelector('video')!
    const sought = new Promise((resolve) => element.addEventListener('seeked', resolve, { once: true }))
    element.currentTime = 0.5
    await sought
    return element.currentTime
  })
  expect(soughtTo).toBe(0.5)
  expect(await shows(page, 'img', image.link)).toBe(true)
  opened.length = 0
  await page.goto(`${pageOrigin}/again`)
  expect(await shows(page, 'img', image.link)).toBe(true)
  expect(opened).toEqual([])
  // The browser must not give a script the cached answer to an element's request, which had no Origin header.
  const bytes = (url: string) => fetch(url).then(async (reply) => (await reply.arrayBuffer()).byteLength)
  expect(await page.evaluate(bytes, image.link)).toBeGreaterThan(1000)
  expect(opened).toHaveLength(1)
})
