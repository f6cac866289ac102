import { expect, test } from 'vitest'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { FetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import { shownJob, textOf } from './call.ts'
import { modernRequest } from './modern-request.ts'
import { keys } from './servers/mcp-service.ts'
import { inProcess } from './servers/start-on-node.ts'

const slowFilm = { prompt: 'a kite flies', delay_ms: 600_000 }

/** Calls a tool that waits for a film of ten minutes. */
export function waitingFilm(
  handle: (request: Request) => Promise<Response>,
  key: string = keys.alice,
  more: object = {},
) {
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

/** Declares a test that as many calls wait as have a place, and that the others are answered at once. */
export function testPlaces(
  how: string,
  passOn: (v1: FetchHandler) => FetchHandler,
  { calls: count, places }: { readonly calls: number; readonly places: number },
  options: { readonly maxWaiters?: number },
): void {
  test(`of ${count} calls that wait for their jobs, behind a /v1 that gets requests ${how}, ${places} wait and the others say at once that their jobs go on`, async () => {
    const { v1, service } = inProcess({}, options)
    const handle = toMcpHandler(passOn(v1))
    service.start()
    const waiters = async () => (await service.health()).waiters
    const answered: CallToolResult[] = []
    const calls = Array.from({ length: count }, () => waitingFilm(handle))
    for (const { result } of calls) result.then((each) => answered.push(each)).catch(() => {})
    await expect.poll(() => answered.length).toBe(count - places)
    await expect.poll(waiters).toBe(places)
    for (const result of answered) {
      expect(shownJob(result).status).toBe('processing')
      expect(textOf(result)).toMatch(/has not waited until the end, because too many calls are waiting/)
    }
    // Another owner needs a place.
    const bob = waitingFilm(handle, keys.bob)
    await expect.poll(() => answered.length).toBe(count - places + 1)
    await expect.poll(waiters).toBe(places)
    for (const { leave } of [...calls, bob]) leave()
    await expect.poll(waiters).toBe(0)
    const next = waitingFilm(handle)
    await expect.poll(waiters).toBe(1)
    next.leave()
  })
}
