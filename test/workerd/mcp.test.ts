import { afterAll, beforeAll, expect, test } from 'vitest'
import { modernRequest } from '../mcp/modern-request.ts'
import { bundledWorker } from './bundled-worker.ts'

let bundled: Awaited<ReturnType<typeof bundledWorker>>

beforeAll(async () => {
  bundled = await bundledWorker('mcp-worker')
})
afterAll(() => bundled?.stop())

test('a worker gives agents their pictures, and refuses those without a key', async () => {
  const ask = async (headers: Record<string, string>) => {
    const params = { name: 'generate_image', arguments: { prompt: 'a kite' } }
    const request = modernRequest('tools/call', params, headers)
    const { url, method } = request
    const body = await request.text()
    return bundled.worker.dispatchFetch(url, { method, headers: Object.fromEntries(request.headers), body })
  }
  expect((await ask({})).status).toBe(401)
  const reply = await ask({ authorization: 'Bearer key-of-alice' })
  expect(await reply.json()).toMatchObject({
    result: {
      structuredContent: { status: 'completed', cost_usd: 0.01 },
      content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }, { type: 'resource_link' }],
    },
  })
})
