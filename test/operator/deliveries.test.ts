import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webhooks } from '@genmount/core/webhooks'
import { operator } from '@genmount/operator'
import { fakeWorld, fakeWebhooks } from '@genmount/testing'
import { signedWebhooks } from '@genmount/webhooks'
import { expect, onTestFinished, test } from 'vitest'
import { keys, operated, operatorKeys } from './operated.ts'

const because = { reason: 'The receiver was down.' }
const hook = { webhook_url: 'https://receiver.example/200' }

test('a job whose delivery was given up is delivered again at once, with the same id', async () => {
  let status = 410
  const sender = fakeWebhooks(() => ({ status }))
  const { ask, create, clock } = operated({
    plugins: [webhooks(sender), operator({ authenticate: operatorKeys })],
  })
  const { id } = await create({ ...hook })
  await clock.advance(5000)
  const before = (await ask(`GET /v1/operator/jobs/${id}`)).json
  expect(before).toMatchObject({ can: { deliver: true }, webhook: { next_attempt_at: null } })
  expect(before.deliveries).toMatchObject([{ status: 'failed', response_status: 410 }])
  status = 200
  const { json } = await ask(`POST /v1/operator/jobs/${id}/deliver`, because)
  expect(json).toMatchObject({ act: { action: 'deliver', outcome: 'owed' }, job: { id } })
  await clock.advance(10)
  expect((await ask(`GET /v1/operator/jobs/${id}`)).json.deliveries).toMatchObject([
    { status: 'delivered', response_status: 200 },
    { status: 'failed', response_status: 410 },
  ])
  expect(new Set(sender.sent.map((delivery) => delivery.id)).size).toBe(1)
  expect(sender.sent).toHaveLength(2)
})

test('two operators who deliver a job again at once send no two tries at the same time', async () => {
  let underWay = 0
  let most = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const sender = fakeWebhooks(async () => {
    most = Math.max(most, ++underWay)
    if (sender.sent.length > 1) await promise
    underWay--
    return { status: 200 }
  })
  const { ask, create, clock } = operated({
    plugins: [webhooks(sender), operator({ authenticate: operatorKeys })],
  })
  const { id } = await create({ ...hook })
  await clock.advance(5000)
  const both = [keys.maria, keys.otto].map((key) => ask(`POST /v1/operator/jobs/${id}/deliver`, because, key))
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
  await clock.advance(10)
  expect((await ask(`POST /v1/operator/jobs/${id}/deliver`, because)).status).toBe(200)
  resolve()
  await clock.advance(10)
  expect(most).toBe(1)
  expect(sender.sent).toHaveLength(2)
})

test('a delivery that an operator has asked for is not lost when the process dies before it begins', async () => {
  const { create, start, clock } = fakeWorld({}, { plugins: [webhooks(fakeWebhooks())] })
  const { id } = await create({ ...hook })
  await clock.advance(5000)
  const silent = fakeWebhooks(() => new Promise(() => {}))
  const dying = start({ plugins: [webhooks(silent)] })
  await (dying.service as unknown as { deliverAgain(id: string): Promise<object> }).deliverAgain(id)
  dying.die()
  const sender = fakeWebhooks()
  start({ plugins: [webhooks(sender)] })
  await clock.advance(120_000)
  expect(sender.sent.map(({ job }) => job.id)).toEqual([id])
})

test('a receiver is tried with a signed webhook.test, which no job owes, and the try stands in the audit log', async () => {
  const { ask, receivers } = operated()
  const test = { url: 'https://receiver.example/503', owner: 'alice', reason: 'Alice asked.' }
  const { json } = await ask('POST /v1/operator/webhook-tests', test)
  expect(json).toMatchObject({
    object: 'operator_act',
    act: {
      action: 'webhook-test',
      owner: 'alice',
      why: 'Alice asked.',
      outcome: expect.stringContaining('503'),
    },
    delivery: { event: 'webhook.test', status: 'failed', response_status: 503 },
  })
  expect(receivers.sent).toMatchObject([
    {
      event: 'webhook.test',
      url: test.url,
      id: expect.stringMatching(/^test_[\w-]+$/),
      job: { owner: 'alice' },
    },
  ])
  const refused = await ask('POST /v1/operator/webhook-tests', { url: 'http://a.example/', reason: 'x' })
  expect([refused.status, refused.json.error.param]).toEqual([400, 'url'])
  const secret = await ask('POST /v1/operator/webhook-tests', {
    url: 'https://private.example/',
    reason: 'x',
  })
  expect([secret.status, secret.json.error.param]).toEqual([400, 'url'])
})

test.each([
  'https://169.254.169.254/latest',
  'https://10.0.0.1/',
  'https://[::1]/',
  'https://localhost.test.internal.:1/',
])('no test of a webhook reaches the private address %s', async (url) => {
  const sender = signedWebhooks({
    baseUrl: 'https://media.test',
    secretsOf: () => `whsec_${btoa('x'.repeat(32))}`,
  })
  const { ask } = operated({ plugins: [webhooks(sender), operator({ authenticate: operatorKeys })] })
  const { status, json } = await ask('POST /v1/operator/webhook-tests', { url, reason: 'x' })
  expect([400, 200]).toContain(status)
  expect(json.delivery?.status ?? 'refused').not.toBe('delivered')
  if (status === 200) expect(json.delivery.response_status).toBeNull()
})

test('a test of a webhook arrives at a real receiver of this machine with its signature', async () => {
  const arrived = Promise.withResolvers<{ readonly headers: object; readonly body: string }>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      arrived.resolve({ headers: request.headers, body })
      response.end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const sender = signedWebhooks({
    baseUrl: 'https://media.test',
    secretsOf: (owner) => (owner === 'alice' ? `whsec_${btoa('x'.repeat(32))}` : []),
    allowLoopback: true,
  })
  const { ask } = operated({ plugins: [webhooks(sender), operator({ authenticate: operatorKeys })] })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const { json } = await ask('POST /v1/operator/webhook-tests', { url, owner: 'alice', reason: 'x' })
  expect(json.delivery).toMatchObject({ status: 'delivered', response_status: 200, error: null })
  const { headers, body } = await arrived.promise
  expect(headers).toMatchObject({ 'webhook-signature': expect.stringMatching(/^v1,/) })
  expect(JSON.parse(body)).toMatchObject({
    type: 'webhook.test',
    data: { id: 'gen_test', status: 'completed' },
  })
})
