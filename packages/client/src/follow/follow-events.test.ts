import { expect, test } from 'vitest'
import { createClient } from '../client/create-client.ts'

const job = { id: 'gen_1', object: 'generation', status: 'processing', error: null, data: [] }

/** A client whose `fetch` ignores the abort of a request. The stream of events has this text and stays open. */
function deafClient(text: string, arrives: Promise<void> = Promise.resolve()) {
  const isCanceled = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const fetch = async () => {
    asked.resolve()
    await arrives
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      cancel: () => isCanceled.resolve(),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  return {
    client: createClient({ baseUrl: 'https://app.example', fetch }),
    isCanceled: isCanceled.promise,
    asked: asked.promise,
  }
}

test('a client that stops waiting cancels the stream of events, also if its fetch ignores the abort', async () => {
  const leaving = new AbortController()
  const { client, isCanceled } = deafClient(`event: state\ndata: ${JSON.stringify(job)}\n\n`)
  const waiting = client.wait('gen_1', { signal: leaving.signal, onJob: () => leaving.abort() })
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  await isCanceled
})

test('a client cancels a stream of events that arrives after it has stopped waiting', async () => {
  const leaving = new AbortController()
  const arriving = Promise.withResolvers<void>()
  const { client, isCanceled, asked } = deafClient('', arriving.promise)
  const waiting = client.wait('gen_1', { signal: leaving.signal })
  await asked
  leaving.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  arriving.resolve()
  await isCanceled
})

test('a client cancels the stream of events after the last event', async () => {
  const { client, isCanceled } = deafClient(
    `event: done\ndata: ${JSON.stringify({ ...job, status: 'completed' })}\n\n`,
  )
  expect((await client.wait('gen_1')).status).toBe('completed')
  await isCanceled
})
