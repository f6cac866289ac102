import { expect, test } from 'vitest'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { FetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import { fakeProvider } from '@genmount/testing'
import { memoryInUse } from '../memory/memory-in-use.ts'
import { shownJob, textOf } from './call.ts'
import { scriptCommand, startServer } from '../processes/start-server.ts'
import { modernRequest } from './modern-request.ts'
import { heldBytesPerCall, heldCalls } from './held-bytes.ts'
import { keys } from './servers/mcp-service.ts'
import { inProcess } from './servers/start-on-node.ts'

const slowFilm = { prompt: 'a kite flies', delay_ms: 600_000 }

function film(handle: (request: Request) => Promise<Response>, key: string = keys.alice, more: object = {}) {
  const leaving = new AbortController()
  const params = { name: 'generate_video', arguments: { ...slowFilm, ...more } }
  const request = new Request(modernRequest('tools/call', params, { authorization: `Bearer ${key}` }), {
    signal: leaving.signal,
  })
  const result = handle(request).then(
    async (response) => ((await response.json()) as { result: CallToolResult }).result,
  )
  result.catch(() => {})
  return { result, leave: () => leaving.abort() }
}

test.each([
  ['as it is', (v1: FetchHandler) => v1, { maxWaiters: 200 }],
  ['as copies', (v1: FetchHandler) => (request: Request) => v1(new Request(request)), {}],
])(
  'of 500 calls that wait for their jobs, behind a /v1 that gets requests %s, 200 wait and the others say at once that their jobs go on',
  async (_, passOn, options) => {
    const { v1, service } = inProcess({}, options)
    const handle = toMcpHandler(passOn(v1))
    service.start()
    const answered: CallToolResult[] = []
    const calls = Array.from({ length: 500 }, () => film(handle))
    for (const { result } of calls) result.then((each) => answered.push(each)).catch(() => {})
    await expect.poll(() => answered.length, { timeout: 30_000 }).toBe(300)
    await expect.poll(async () => (await service.health()).waiters, { timeout: 30_000 }).toBe(200)
    for (const result of answered) {
      expect(shownJob(result).status).toBe('processing')
      expect(textOf(result)).toMatch(/has not waited until the end, because too many calls are waiting/)
    }
    // Another owner needs a place.
    const bob = film(handle, keys.bob)
    await expect.poll(() => answered.length, { timeout: 30_000 }).toBe(301)
    await expect.poll(async () => (await service.health()).waiters, { timeout: 30_000 }).toBe(200)
    for (const { leave } of [...calls, bob]) leave()
    await expect.poll(async () => (await service.health()).waiters, { timeout: 30_000 }).toBe(0)
    const next = film(handle)
    await expect.poll(async () => (await service.health()).waiters, { timeout: 30_000 }).toBe(1)
    next.leave()
  },
)

test('the calls in one batch wait for their jobs, and each gets its own result', async () => {
  const { handle, service } = inProcess()
  service.start()
  const calls = [300, 600].map((delay_ms, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'generate_video', arguments: { prompt: 'a kite', delay_ms } },
  }))
  const headers = {
    authorization: `Bearer ${keys.alice}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify(calls)
  const response = await handle(new Request('http://app.test/mcp', { method: 'POST', headers, body }))
  const messages = [...(await response.text()).matchAll(/^data: (.+)$/gm)].map(
    ([, data]) => JSON.parse(data!) as { id: number; result: CallToolResult },
  )
  expect(messages.map(({ id, result }) => [id, shownJob(result).status])).toEqual([
    [0, 'completed'],
    [1, 'completed'],
  ])
  expect(new Set(messages.map(({ result }) => shownJob(result).job_id)).size).toBe(2)
})

test.each([
  ...heldCalls.map((how) => ['node', how] as const),
  // With progress, 100 of the 300 are streams.
  ['deno', 'modern'] as const,
])(
  'a waiting MCP call on %s (%s) retains less than 20 kB of heap, its job included',
  { timeout: 60_000 },
  async (runtime, how) => {
    expect(await heldBytesPerCall(runtime, how)).toBeLessThan(20_000)
  },
)

test('of 130 calls with progress that wait on Deno, 100 get progress, and all get their result', async () => {
  const script = new URL('servers/runtime-server.ts', import.meta.url)
  const { origin } = await startServer(scriptCommand('deno', script))
  const answers = await Promise.all(
    Array.from({ length: 130 }, async () => {
      const params = {
        name: 'generate_video',
        arguments: { prompt: 'a kite', delay_ms: 8000 },
        _meta: { progressToken: 7 },
      }
      const response = await fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keys.alice}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      return response.text()
    }),
  )
  expect(answers.filter((text) => text.includes('notifications/progress'))).toHaveLength(100)
  for (const text of answers) expect(text).toMatch(/^event: message\ndata: .*"status":"completed"/m)
})

test('a call that waits holds less than 40 kB in process, however many models the service has', async () => {
  const models = fakeProvider().models
  const providers = Array.from({ length: 60 }, (_, index) => ({
    ...fakeProvider({ name: `fake-${index}` }),
    models: models.map((model) => ({ ...model, id: `${model.id}-${index}` })),
  }))
  const { handle, service } = inProcess({}, { providers })
  service.start()
  const calls: ReturnType<typeof film>[] = []
  const waiting = async (count: number) => {
    while (calls.length < count) calls.push(film(handle, keys.alice, { model: 'fake-video-0' }))
    await expect.poll(async () => (await service.health()).waiters, { timeout: 30_000 }).toBe(count)
    return memoryInUse().heapUsed
  }
  // The first calls have their code compiled.
  const before = await waiting(20)
  const after = await waiting(120)
  expect((after - before) / 100).toBeLessThan(40_000)
  for (const { leave } of calls) leave()
})
