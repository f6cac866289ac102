import { createHash } from 'node:crypto'
import { callbacks } from '@genmount/core/callbacks'
import { describe, expect, test } from 'vitest'
import { type WebhookMethods, webhooks } from '@genmount/core/webhooks'
import { fakeWebhooks, fakeWorld, type FakeProviderOptions } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import type { DeliveryAnswer, WebhookDelivery } from '../contracts/plugin/webhooks.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import type { GenerationService } from '../service/generation-service.ts'
import type { GenerationServiceOptions } from '../service/generation-service-options.ts'

const hourMs = 60 * 60_000
const url = 'https://receiver.example/hook'
const never = () => new Promise<never>(() => {})

function setUp(
  answerTo?: (delivery: WebhookDelivery) => DeliveryAnswer | Promise<DeliveryAnswer>,
  fake: FakeProviderOptions = {},
  options: Partial<GenerationServiceOptions> = {},
) {
  const sender = fakeWebhooks(answerTo)
  const world = fakeWorld(fake, {
    plugins: [webhooks(sender), callbacks({ baseUrl: 'https://app.example' })],
    ...options,
  })
  const create = async (input: object = {}, to = url, events?: readonly string[], owner = 'alice') =>
    (await world.create({ ...input, webhook_url: to, webhook_events: events }, { owner })).id
  const stored = async (id: string) => (await world.jobs.get(id)) as Job
  const service = world.service as GenerationService & WebhookMethods
  return { ...world, service, create, stored, sent: sender.sent }
}

test('the end of a job and its webhook delivery are stored in one write, before anything is sent', async () => {
  const writes: Job[] = []
  const { clock, jobs, start, sent } = setUp(undefined, { behave: [{ delayMs: 60_000 }] })
  const process = start({
    jobs: {
      async replace(job, revision) {
        if (job.phase === 'completed') writes.push(job)
        else expect(sent).toEqual([])
        return jobs.replace(job, revision)
      },
    },
  })
  await process.service.create({
    owner: 'alice',
    model: 'fake-image',
    input: { prompt: 'a fox', webhook_url: url },
  })
  await clock.advance(120_000)
  expect(writes[0]?.webhook?.dueAt).toBe(writes[0]?.completedAt)
  expect(writes[0]?.dueAt).toBe(writes[0]?.completedAt)
  expect(sent).toMatchObject([{ event: 'job.completed', url, job: { phase: 'completed' } }])
})

test('a webhook that the receiver has accepted is not sent again, and is listed', async () => {
  const { clock, create, service, stored, sent } = setUp()
  const id = await create()
  await clock.advance(2 * hourMs)
  expect(sent).toHaveLength(1)
  expect(await service.deliveries(id, 'alice')).toMatchObject({
    url,
    attempts: [{ event: 'job.completed', status: 200, at: sent[0]?.at }],
  })
  expect((await stored(id)).dueAt).toBeUndefined()
  await expect(service.deliveries(id, 'bob')).rejects.toMatchObject({ code: 'job_not_found' })
})

test.each([
  ['completed', {}, ['job.failed'], []],
  ['completed', {}, ['job.completed'], ['job.completed']],
  ['failed', { failure: { code: 'content_policy' } }, ['job.completed'], []],
  ['failed', { failure: { code: 'content_policy' } }, undefined, ['job.failed']],
] as const)(
  'when a job has %s (%j), a webhook for the events %j is %j',
  async (_phase, behaviour, events, told) => {
    const { clock, create, stored, sent } = setUp(undefined, { behave: [behaviour] })
    const id = await create({}, url, events)
    await clock.advance(hourMs)
    expect(sent.map(({ event }) => event)).toEqual(told)
    expect((await stored(id)).dueAt).toBeUndefined()
  },
)

test('the webhook of a canceled job says failed, also when it was canceled before its submit', async () => {
  const fake = { cancel: true, behave: [{ delayMs: 600_000 }], latencyMs: 30_000 } as const
  const sender = fakeWebhooks()
  const world = fakeWorld(fake, { plugins: [webhooks(sender)], provider: { maxConcurrentJobs: 1 } })
  const running = await world.create({ webhook_url: url })
  const waiting = await world.create({ prompt: 'a kite', webhook_url: url })
  await world.service.cancel(waiting.id, 'alice')
  await world.clock.advance(0)
  expect(sender.sent.map(({ job }) => job.id)).toEqual([waiting.id])
  const canceled = world.service.cancel(running.id, 'alice')
  await world.clock.advance(300_000)
  await canceled
  expect(sender.sent.map(({ event, job }) => [event, job.id])).toEqual([
    ['job.failed', waiting.id],
    ['job.failed', running.id],
  ])
})

test('a webhook whose receiver fails is sent again with the same id', async () => {
  const { clock, create, service, sent } = setUp(() => ({ status: 500 }))
  const id = await create()
  await clock.advance(hourMs)
  expect(sent.length).toBeGreaterThan(8)
  expect(new Set(sent.map((delivery) => delivery.id)).size).toBe(1)
  expect(sent[0]?.id).not.toContain('.')
  expect((await service.deliveries(id, 'alice'))?.attempts?.at(-1)).toEqual({
    event: 'job.completed',
    at: sent.at(-1)?.at,
    status: 500,
    error: 'The receiver answered with 500, not 2xx.',
  })
})

test.each([
  ['410', { status: 410 }, 'The receiver wants no more deliveries (410).'],
  ['a refusal that would be the same again', { error: 'It is private.', isLasting: true }, 'It is private.'],
])('%s ends a webhook delivery for good', async (_what, answer, error) => {
  const { clock, create, service, sent } = setUp(() => answer)
  const id = await create()
  await clock.advance(2 * hourMs)
  expect(sent).toHaveLength(1)
  expect(await service.deliveries(id, 'alice')).toMatchObject({ attempts: [{ error }] })
})

test.each([
  [429, 600_000, 600_000],
  [503, 10 * hourMs, hourMs],
])(
  'the Retry-After of an answer with status %i is honoured up to an hour',
  async (status, retryAfterMs, pauseMs) => {
    const { clock, create, sent } = setUp(() => ({ status, retryAfterMs }))
    await create()
    await clock.advance(pauseMs - 1000)
    expect(sent).toHaveLength(1)
    await clock.advance(20_000)
    expect(sent).toHaveLength(2)
  },
)

test('a webhook that is answered with a redirect counts as failed', async () => {
  let status = 302
  const { clock, create, service, sent } = setUp(() => ({ status }))
  const id = await create()
  await clock.advance(0)
  status = 204
  await clock.advance(10_000)
  expect(sent).toHaveLength(2)
  expect((await service.deliveries(id, 'alice'))?.attempts).toMatchObject([
    { status: 302, error: 'The receiver answered with 302; redirects are not followed.' },
    { status: 204 },
  ])
})

test('a webhook without an answer is given up after 15 seconds and sent again', async () => {
  const { clock, create, service, sent } = setUp(never)
  const id = await create()
  await clock.advance(16_000)
  expect(sent[0]?.signal.aborted).toBe(true)
  expect(await service.deliveries(id, 'alice')).toMatchObject({
    attempts: [{ error: 'The receiver has not answered within 15 s.' }],
  })
  await clock.advance(10_000)
  expect(sent).toHaveLength(2)
})

test('an error of the app’s own send function goes to the log and not to the owner, and the webhook is sent again', async () => {
  const { clock, create, service, sent, log } = setUp(() => Promise.reject(new Error('secret detail')))
  const id = await create()
  await clock.advance(10_000)
  expect(sent.length).toBeGreaterThan(1)
  expect(JSON.stringify(await service.deliveries(id, 'alice'))).not.toContain('secret detail')
  expect(log.lines.join('\n')).toContain('could not be sent')
})

describe('two processes', () => {
  test('never send the same webhook at the same time', async () => {
    const answer = Promise.withResolvers<DeliveryAnswer>()
    const { clock, create, start, sent } = setUp(() => answer.promise)
    start()
    start()
    await create()
    await clock.advance(12_000)
    expect(sent).toHaveLength(1)
    answer.resolve({ status: 200 })
    await clock.advance(hourMs)
    expect(sent).toHaveLength(1)
  })

  test('send a webhook again, with the same id, that another process was sending when it died', async () => {
    const { clock, start, sent } = setUp(() => (sent.length === 1 ? never() : { status: 200 }))
    const first = start()
    const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox', webhook_url: url } }
    await first.service.create(request)
    await clock.advance(0)
    expect(sent).toHaveLength(1)
    first.die()
    start()
    await clock.advance(60_000)
    expect(sent).toHaveLength(2)
    expect(sent[1]?.id).toBe(sent[0]?.id)
  })

  test('leave webhooks to the process that has the plugin for them', async () => {
    const { clock, create, start, stored, sent, service } = setUp(() => ({
      status: sent.length > 1 ? 200 : 500,
    }))
    const id = await create()
    await clock.advance(0)
    await service.close()
    const without = start({ plugins: [] })
    await clock.advance(60_000)
    expect(sent).toHaveLength(1)
    expect((await stored(id)).webhook?.dueAt).toBeDefined()
    await without.service.close()
    start()
    await clock.advance(60_000)
    expect(sent).toHaveLength(2)
  })
})

test('closing the service aborts the sending of a webhook, and the next process sends it again', async () => {
  const { clock, create, start, service, stored, sent } = setUp(() =>
    sent.length === 1 ? never() : { status: 200 },
  )
  const id = await create()
  await clock.advance(0)
  await service.close()
  expect(sent[0]?.signal.aborted).toBe(true)
  expect((await stored(id)).webhook?.attempts).toEqual([])
  start()
  await clock.advance(5000)
  expect(sent).toHaveLength(2)
})

test('webhooks of a deleted job are not sent any more', async () => {
  const { clock, create, service, stored, sent } = setUp(() => ({ status: 500 }))
  const id = await create()
  await clock.advance(0)
  const deleted = service.delete(id, 'alice')
  await clock.advance(0)
  await deleted
  await clock.advance(2 * hourMs)
  expect(sent).toHaveLength(1)
  expect(await stored(id)).toBeUndefined()
  await expect(service.deliveries(id, 'alice')).rejects.toMatchObject({ code: 'job_not_found' })
})

test('webhooks are sent although the clock was put back', async () => {
  const { clock, create, sent } = setUp(() => ({ status: 500 }))
  await create()
  await clock.advance(2 * hourMs)
  const { length } = sent
  clock.set(clock.now() - 24 * hourMs)
  await clock.advance(2 * hourMs)
  expect(sent.length).toBeGreaterThan(length)
})

test('a job that continues after submit_ambiguous sends another webhook, with another id, at its new end', async () => {
  const { clock, create, provider, service, sent } = setUp(undefined, {
    behave: [{ answer: 'reset', delayMs: 1000 }],
    sendCallback: () => {},
  })
  const id = await create()
  await clock.advance(10 * 60_000)
  await service.receiveCallback?.(id, provider.callbackFor(id))
  await clock.advance(60_000)
  expect(sent.map(({ event }) => event)).toEqual(['job.failed', 'job.completed'])
  expect(new Set(sent.map((delivery) => delivery.id)).size).toBe(2)
})

test('a job that continues after submit_ambiguous does not send its webhook about the failure any more', async () => {
  const { clock, create, provider, service, sent } = setUp(
    ({ event }) => ({ status: event === 'job.failed' ? 500 : 200 }),
    {
      behave: [{ answer: 'reset', delayMs: 1000 }],
      sendCallback: () => {},
    },
  )
  const id = await create()
  await clock.advance(10 * 60_000)
  await service.receiveCallback?.(id, provider.callbackFor(id))
  await clock.advance(60_000)
  const { length } = sent
  expect(sent.at(-1)?.event).toBe('job.completed')
  await clock.advance(2 * hourMs)
  expect(sent).toHaveLength(length)
})

describe('copies of outputs and deliveries do not wait for one another', () => {
  const link = { url: 'https://cdn.test/0' }
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4, 5])
  const body = () => new Response(png).body as ReadableStream<Uint8Array>

  test('a copy of an output that takes ten minutes delays no webhook, and is kept', async () => {
    const { clock, create, stored, sent } = setUp(
      () => ({ status: sent.length < 6 ? 500 : 200 }),
      { behave: [{ outputs: [link] }] },
      {
        files: {
          ...memoryFileStore(),
          fetch: () => new Promise((resolve) => void clock.after(600_000, () => resolve({ body: body() }))),
        },
      },
    )
    const id = await create()
    await clock.advance(120_000)
    expect(sent).toHaveLength(6)
    expect((await stored(id)).outputs).toEqual([link])
    await clock.advance(600_000)
    expect((await stored(id)).outputs).toMatchObject([{ fileKey: `${id}-0` }])
    expect((await stored(id)).dueAt).toBeUndefined()
  })

  test('a receiver that never answers delays no copy of an output', async () => {
    const files = { ...memoryFileStore(), fetch: async () => ({ body: body() }) }
    const { clock, create, stored, sent } = setUp(never, { behave: [{ outputs: [link] }] }, { files })
    const id = await create()
    await clock.advance(1000)
    expect((await stored(id)).outputs).toMatchObject([{ fileKey: `${id}-0` }])
    await clock.advance(hourMs)
    expect(sent.length).toBeGreaterThan(5)
  })

  test('failed copies and failed webhooks are tried again independently', async () => {
    const fetch = () => Promise.reject(new Error('cdn.test says no.'))
    const { clock, create, stored, sent } = setUp(
      () => ({ status: 500 }),
      { behave: [{ outputs: [link] }] },
      { files: { ...memoryFileStore(), fetch } },
    )
    const id = await create()
    await clock.advance(6 * hourMs)
    const { earliestAt, dueAt, webhook } = await stored(id)
    expect(earliestAt).toBeUndefined()
    expect(dueAt).toBe(webhook?.dueAt)
    expect(sent.length).toBeGreaterThan(12)
  })
})

test.each([
  ['http', 'http://receiver.example/hook', undefined, 'webhook_url'],
  ['no URL', 'receiver', undefined, 'webhook_url'],
  ['a long URL', `https://receiver.example/${'x'.repeat(2048)}`, undefined, 'webhook_url'],
  ['a number', 7, undefined, 'webhook_url'],
  ['a URL that is refused', 'https://private.example/hook', undefined, 'webhook_url'],
  ['events without a URL', undefined, ['job.completed'], 'webhook_url'],
  ['an unknown event', url, ['job.started'], 'webhook_events'],
  ['no event', url, [], 'webhook_events'],
  ['an event twice', url, ['job.failed', 'job.failed'], 'webhook_events'],
  ['a text as events', url, 'job.failed', 'webhook_events'],
])('a webhook_url of %s is refused at the create, and nothing is spent', async (_what, to, events, param) => {
  const { service, provider } = setUp()
  const input = { prompt: 'a fox', webhook_url: to, webhook_events: events }
  const created = service.create({ owner: 'alice', model: 'fake-image', input })
  await expect(created).rejects.toMatchObject({ code: 'invalid_request', param })
  expect(provider.submits).toEqual([])
})

test('the same idempotency key with another webhook_url is refused as another body', async () => {
  const { service } = setUp()
  const create = (to: string) =>
    service.create({
      owner: 'alice',
      model: 'fake-image',
      input: { prompt: 'a fox', webhook_url: to },
      idempotency: { key: 'a', scope: 'b' },
    })
  const { job } = await create(url)
  // A process of the release before may have stored the job whose request is repeated here.
  const body = JSON.stringify(['fake-image', { prompt: 'a fox' }, null, { url }])
  expect(job.idempotency?.fingerprint).toBe(createHash('sha256').update(body).digest('hex'))
  expect((await create(url)).replayed).toBe(true)
  await expect(create(`${url}/2`)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
})

test('a webhook that failed is sent again when the clock has been set ahead by more than the three days of its retries', async () => {
  const statuses = [500, 500, 204]
  const { create, clock, service, sent, stored } = setUp(() => ({ status: statuses.shift() ?? 204 }))
  service.start()
  const id = await create()
  await clock.advance(500)
  expect(sent).toHaveLength(1)
  clock.set(clock.now() + 192 * hourMs)
  await clock.advance(60_000)
  expect(sent).toHaveLength(3)
  expect((await stored(id)).webhook?.attempts?.at(-1)).toMatchObject({ status: 204 })
  await service.close()
})
