import { createGenerationService, memoryBackend } from '@genmount/core'
import { webhooks } from '@genmount/core/webhooks'
import { fakeProvider, fakeWebhooks, quietLog } from '@genmount/testing'
import { describe, expect, test, vi } from 'vitest'
import { kite, setUp } from '../test-kit/set-up.ts'

const url = 'https://receiver.example/hook'

describe('a service without webhooks', () => {
  test('passes webhook_url and webhook_events to the schema of the model', async () => {
    const inputs: unknown[] = []
    const { ask } = setUp({ service: { create: (request) => (inputs.push(request), Promise.reject()) } })
    await ask('POST /m/v1/generate', { ...kite, webhook_url: url, webhook_events: ['job.failed'] })
    expect(inputs).toEqual([
      {
        owner: 'alice',
        keyId: expect.any(String),
        model: kite.model,
        metadata: undefined,
        input: { prompt: kite.prompt, webhook_url: url, webhook_events: ['job.failed'] },
      },
    ])
  })

  test('answers 404 at the path of the deliveries', async () => {
    const { ask } = setUp()
    const { json: job } = await ask('POST /m/v1/generate', kite)
    const { status, json } = await ask(`GET /m/v1/jobs/${job.id}/deliveries`)
    expect([status, json.error.code]).toEqual([404, 'route_not_found'])
  })
})

test('a provider is never given webhook_url or webhook_events', async () => {
  const provider = fakeProvider()
  const sender = fakeWebhooks()
  const service = createGenerationService({
    providers: [provider],
    plugins: [webhooks(sender)],
    log: quietLog(),
  })
  const { ask } = setUp({ service })
  const body = { ...kite, webhook_url: url, webhook_events: ['job.completed'] }
  const { json: job } = await ask('POST /m/v1/generate?wait=true', body)
  await vi.waitUntil(() => sender.sent.length > 0, { timeout: 60_000 })
  expect(sender.sent[0]).toMatchObject({ url, event: 'job.completed', job: { id: job.id } })
  expect(JSON.stringify(provider.submits)).not.toContain('webhook')
  expect(JSON.stringify(provider.ledger)).not.toContain('receiver.example')
  await service.close()
})

test('a create that is repeated with its idempotency key is a replay also after webhooks have been switched on', async () => {
  const backend = memoryBackend()
  const parts = { providers: [fakeProvider()], backend, log: quietLog() }
  const [before, after] = [
    createGenerationService(parts),
    createGenerationService({ ...parts, plugins: [webhooks(fakeWebhooks())] }),
  ]
  const key = { 'idempotency-key': 'one' }
  const first = await setUp({ service: before }).ask('POST /m/v1/generate', kite, key)
  const again = await setUp({ service: after }).ask('POST /m/v1/generate', kite, key)
  expect([again.status, again.json.id]).toEqual([202, first.json.id])
  await Promise.all([before.close(), after.close()])
})

test('the deliveries of a job are at one spelling of its path', async () => {
  const plugins = [webhooks(fakeWebhooks())]
  const service = createGenerationService({ providers: [fakeProvider()], plugins, log: quietLog() })
  const { ask } = setUp({ service })
  const { json: job } = await ask('POST /m/v1/generate', kite)
  expect((await ask(`GET /m/v1/jobs/${job.id}/deliveries`)).status).toBe(200)
  const other = await ask(`GET /m/v1/jobs/${job.id.replace('_', '%5F')}/deliveries`)
  expect([other.status, other.json.error.code]).toEqual([404, 'job_not_found'])
  await service.close()
})
