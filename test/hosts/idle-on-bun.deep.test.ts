import { expect, test } from 'vitest'
import { scriptCommand, startServer } from '../processes/start-server.ts'

const headers = { authorization: 'Bearer alice-key-of-16-bytes', 'content-type': 'application/json' }
const body = JSON.stringify({ model: 'fake-image', prompt: 'a kite', delay_ms: 14_000 })

const served = () => startServer(scriptCommand('bun', new URL('bun-without-options.ts', import.meta.url)))

test('on Bun without options, an event stream without news for 14 seconds goes on until its job is done', async () => {
  const { origin } = await served()
  const created = await fetch(`${origin}/v1/generate`, { method: 'POST', headers, body })
  const { id } = (await created.json()) as { id: string }
  const events = await fetch(`${origin}/v1/jobs/${id}/events`, { headers })
  expect(await events.text()).toContain('event: done')
}, 60_000)

test('on Bun without options, a create that waits for 14 seconds gets its finished job', async () => {
  const { origin } = await served()
  const waited = await fetch(`${origin}/v1/generate?wait=true`, { method: 'POST', headers, body })
  expect(await waited.json()).toMatchObject({ status: 'completed' })
}, 60_000)
