import { expect, test } from 'vitest'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { fakeProvider } from '@genmount/testing'
import { memoryInUse } from '../memory/memory-in-use.ts'
import { scriptCommand, startServer } from '../processes/start-server.ts'
import { shownJob } from './call.ts'
import { testHeldBytes } from './held-bytes.ts'
import { keys } from './servers/mcp-service.ts'
import { inProcess } from './servers/start-on-node.ts'
import { testPlaces, waitingFilm } from './waiting-places.ts'

// The deep suite has 500 calls. Behind copies of its requests the endpoint has 200 places for an owner, whatever the service has.
testPlaces('as it is', (v1) => v1, { calls: 50, places: 20 }, { maxWaiters: 20 })
// In Node, the garbage collector may cut a copy off from the abort signal of its original.
testPlaces(
  'as copies without their abort signals',
  (v1) => (request) => v1(new Request(request, { signal: null })),
  { calls: 220, places: 200 },
  {},
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
  // On a busy machine, the second job may be found finished first.
  const byId = messages.toSorted((a, b) => a.id - b.id)
  expect(byId.map(({ id, result }) => [id, shownJob(result).status])).toEqual([
    [0, 'completed'],
    [1, 'completed'],
  ])
  expect(new Set(messages.map(({ result }) => shownJob(result).job_id)).size).toBe(2)
})

// The deep suite has Deno, and a call with progress of a client of the older revision.
testHeldBytes('node', 'modern')

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
  const calls: ReturnType<typeof waitingFilm>[] = []
  const waiting = async (count: number) => {
    while (calls.length < count) calls.push(waitingFilm(handle, keys.alice, { model: 'fake-video-0' }))
    await expect.poll(async () => (await service.health()).waiters).toBe(count)
    return memoryInUse().heapUsed
  }
  // The first calls have their code compiled.
  const before = await waiting(20)
  const after = await waiting(120)
  expect((after - before) / 100).toBeLessThan(40_000)
  for (const { leave } of calls) leave()
})
