import { describe, expect, test } from 'vitest'
import type { JsonObject } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { Webhook } from 'standardwebhooks'
import { signedWebhooks, type SignedWebhooksOptions } from './signed-webhooks.ts'

const baseUrl = 'https://app.example/media'
const secret = (byte: number, length = 32) => `whsec_${btoa(String.fromCharCode(byte).repeat(length))}`
const url = 'https://receiver.example/hook'
const refusalOf = (text: string, options: Partial<SignedWebhooksOptions> = {}) =>
  signedWebhooks({ baseUrl, secretsOf: () => secret(1), ...options }).refusal(new URL(text))

interface Sent {
  readonly url: string
  readonly body: string
  readonly headers: Record<string, string>
  readonly redirect: string
}

function setUp(
  secretsOf: SignedWebhooksOptions['secretsOf'],
  answer: () => Response = () => new Response(),
  input: JsonObject = { prompt: 'a kite' },
) {
  const sent: Sent[] = []
  const webhooks = signedWebhooks({
    baseUrl: `${baseUrl}/`,
    secretsOf,
    fetch: async (to, { body, headers, redirect }) => {
      sent.push({ url: to, body, headers, redirect })
      return answer()
    },
  })
  const job = exampleJob({ id: 'gen_1', phase: 'completed', metadata: { album: '7' }, shownInput: input })
  const send = (at = Date.now()) =>
    webhooks.send({
      id: 'gen_1_2',
      event: 'job.completed',
      job,
      url,
      at,
      signal: new AbortController().signal,
    })
  return { sent, send, job }
}

test('a webhook is verified by standardwebhooks with its secret, and not with another', async () => {
  const { sent, send } = setUp(() => secret(1))
  expect(await send()).toEqual({ status: 200 })
  const { body = '', headers = {} } = sent[0] ?? {}
  expect(new Webhook(secret(1)).verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => new Webhook(secret(2)).verify(body, headers)).toThrow()
  expect(() => new Webhook(secret(1)).verify(`${body} `, headers)).toThrow()
})

test('each attempt of a webhook is signed with all secrets that its owner has at that moment', async () => {
  const [old, next] = [secret(1), secret(2, 64)]
  const secrets = [[old], [old, next], [next]]
  const { sent, send } = setUp(async (owner) => (owner === 'alice' ? (secrets[sent.length] ?? []) : []))
  for (const those of secrets) {
    await send()
    const { body = '', headers = {} } = sent.at(-1) ?? {}
    for (const one of [old, next]) {
      const verify = () => new Webhook(one).verify(body, headers)
      if (those.includes(one)) expect(verify()).toBeDefined()
      else expect(verify).toThrow()
    }
  }
  expect(sent).toHaveLength(3)
})

test('the body of a webhook has the event, its time, and the job as GET returns it, with its metadata', async () => {
  const { sent, send, job } = setUp(() => secret(1))
  await send()
  const body = JSON.parse(sent[0]?.body ?? '')
  expect(Object.keys(body)).toEqual(['type', 'timestamp', 'data'])
  expect(body).toMatchObject({
    type: 'job.completed',
    timestamp: new Date(job.completedAt ?? 0).toISOString(),
    data: {
      id: 'gen_1',
      object: 'generation',
      status: 'completed',
      urls: { get: `${baseUrl}/v1/jobs/gen_1` },
      data: [{ url: `${baseUrl}/v1/files/gen_1` }],
      metadata: { album: '7' },
    },
  })
})

test('each attempt of a webhook has the same id and its own timestamp, and follows no redirect', async () => {
  const { sent, send } = setUp(() => secret(1))
  await send(1_700_000_000_999)
  await send(1_700_000_060_000)
  expect(sent.map(({ headers }) => [headers['webhook-id'], headers['webhook-timestamp']])).toEqual([
    ['gen_1_2', '1700000000'],
    ['gen_1_2', '1700000060'],
  ])
  expect(sent[0]?.redirect).toBe('manual')
})

test.each([
  ['7', 7000],
  ['Fri, 02 Jan 2026 00:00:10 GMT', 10_000],
  ['0.5', 500],
  ['soon', undefined],
])(
  'a receiver that answers with Retry-After: %j asks for the next attempt after %s milliseconds',
  async (value, retryAfterMs) => {
    const { send } = setUp(
      () => secret(1),
      () => new Response(null, { status: 503, headers: { 'retry-after': value } }),
    )
    expect(await send(Date.UTC(2026, 0, 2))).toEqual({ status: 503, retryAfterMs })
  },
)

test.each([
  ['too short', secret(1, 23)],
  ['too long', secret(1, 65)],
  ['without its prefix', btoa('x'.repeat(32))],
  ['no base64', 'whsec_***'],
  ['no text', 7 as unknown as string],
])('a secret that is %s is a fault that does not show it, and nothing is sent', async (_what, wrong) => {
  const { sent, send } = setUp(() => wrong)
  const fault = await send().catch((error: unknown) => error)
  expect(fault).toBeInstanceOf(TypeError)
  expect(String(fault)).not.toContain(String(wrong).replace('whsec_', ''))
  expect(sent).toEqual([])
})

test('a webhook to an owner without a secret is not sent, and is tried again later', async () => {
  const { sent, send } = setUp(() => [])
  expect(await send()).toEqual({ error: 'The service has no secret to sign with.' })
  expect(sent).toEqual([])
})

test('a webhook whose connection fails is recorded as a failed attempt with its reason', async () => {
  const { send } = setUp(
    () => secret(1),
    () => {
      throw new TypeError('fetch failed at 10.0.0.1')
    },
  )
  expect(await send()).toEqual({ error: 'The receiver could not be reached, or the connection broke off.' })
})

describe('no webhook is sent to', () => {
  test.each([
    ['https://127.0.0.1/', 'must have a public address.'],
    ['https://[::1]/', 'must have a public address.'],
    ['https://169.254.169.254/', 'must have a public address.'],
    ['https://localhost/', 'must have a public address.'],
    ['https://printer.local/', 'must have a public address.'],
    ['https://receiver.example:22/', 'must have port 443, or a web port from 1024 on.'],
    ['https://a:b@receiver.example/', 'must be a URL without user name and password.'],
  ])('%s, and the refusal of its URL says why', (text, words) => {
    expect(refusalOf(text)).toBe(words)
  })

  test('a host that is not in allow, also for a job that was created before', async () => {
    const allow = ['Hooks.Example.org']
    expect(refusalOf('https://hooks.example.org/a', { allow })).toBeUndefined()
    for (const text of ['https://a.hooks.example.org/', 'https://example.org/'])
      expect(refusalOf(text, { allow })).toBe('has a host that this service sends nothing to.')
    const { send } = signedWebhooks({ baseUrl, secretsOf: () => secret(1), allow })
    const { signal } = new AbortController()
    const job = exampleJob({ phase: 'completed' })
    expect(await send({ id: 'a', event: 'job.completed', job, url, at: 0, signal })).toEqual({
      error: 'The URL has a host that this service sends nothing to.',
      isLasting: true,
    })
  })

  test('a host in allow with a private address', () => {
    expect(refusalOf('https://10.0.0.1/', { allow: ['10.0.0.1'] })).toBe('must have a public address.')
  })
})

/** The body of a webhook about a job with this input. */
async function bodyWith(input: JsonObject) {
  const { sent, send } = setUp(() => secret(1), undefined, input)
  await send()
  return { text: sent[0]?.body ?? '', ...JSON.parse(sent[0]?.body ?? '{}') }
}

test('a webhook has an input of 64 kB, and of a larger one only an empty object and the note that it is omitted', async () => {
  const fits = { prompt: 'a'.repeat(65_536 - '{"prompt":""}'.length) }
  expect(await bodyWith(fits)).toMatchObject({ data: { input: fits } })
  expect(await bodyWith(fits)).not.toHaveProperty('omitted')
  const parts = Array.from({ length: 300 }, (_, index) => `${index} ${'x'.repeat(60_000)}`)
  for (const input of [
    { prompt: `${fits.prompt}a` },
    { prompt: 'ü'.repeat(40_000) },
    { prompt: '\u0001'.repeat(20_000) },
    { nested: { numbers: Array.from({ length: 40_000 }, () => 1) } },
    { parts },
    Object.fromEntries(parts.map((part) => [part, true])),
  ]) {
    const { text, ...body } = await bodyWith(input)
    expect(body).toMatchObject({
      omitted: ['data.input'],
      data: { id: 'gen_1', status: 'completed', input: {} },
    })
    expect(text.length).toBeLessThan(2000)
  }
})

describe('with allowLoopback', () => {
  const options = { allowLoopback: true }

  test.each([
    'http://localhost:3000/a',
    'https://localhost/',
    'http://127.0.0.1:8080/',
    'http://127.1.2.3/',
    'http://[::1]:9000/',
  ])('%s may receive webhooks, and without it may not', (text) => {
    expect(refusalOf(text, options)).toBeUndefined()
    expect(refusalOf(text)).toMatch(/^must (?:have a public address|be an https URL)\.$/)
  })

  test.each([
    ['http://receiver.example/', 'must be an https URL.'],
    ['http://10.0.0.1/', 'must be an https URL.'],
    ['https://10.0.0.1/', 'must have a public address.'],
    ['https://192.168.0.1/', 'must have a public address.'],
    ['https://169.254.169.254/', 'must have a public address.'],
    ['https://[::ffff:10.0.0.1]/', 'must have a public address.'],
    ['https://0.0.0.0/', 'must have a public address.'],
    ['https://app.localhost/', 'must have a public address.'],
    ['https://localhost.local/', 'must have a public address.'],
    ['http://localhost:22/', 'must have port 443, or a web port from 1024 on.'],
    ['http://a:b@localhost:3000/', 'must be a URL without user name and password.'],
  ])('%s still receives none', (text, words) => {
    expect(refusalOf(text, options)).toBe(words)
  })

  test('a host of this machine that allow does not list receives none', () => {
    expect(refusalOf('http://localhost:3000/', { ...options, allow: ['hooks.example.org'] })).toBe(
      'has a host that this service sends nothing to.',
    )
  })
})

const none = (): string => ''
test.each([
  [{ secretsOf: none }, /^signedWebhooks: baseUrl must be an http or https URL/],
  [{ baseUrl }, /^signedWebhooks: secretsOf must be a function/],
  [
    { baseUrl, secretsOf: none, allow: ['https://a.example'] },
    /^signedWebhooks: allow\[0\] must be a host name/,
  ],
  [{ baseUrl, secretsOf: none, allowLoopback: 'yes' }, /^signedWebhooks: allowLoopback must be/],
  [{ baseUrl, secretsOf: none, fetch: 7 }, /^signedWebhooks: fetch must be a function/],
  [{ baseUrl, secretOf: none }, /^signedWebhooks: secretOf is not an option; did you mean secretsOf/],
])('signedWebhooks throws a TypeError that explains the wrong options %j', (options, message) => {
  expect(() => signedWebhooks(options as unknown as SignedWebhooksOptions)).toThrow(message)
})

test('the webhook of a completed job says more about its outputs where the app wants it, and that of a failed job does not', async () => {
  const bodies: string[] = []
  const webhooks = signedWebhooks({
    baseUrl,
    secretsOf: () => secret(1),
    outputs: ({ id }, at) => ({ object: 'list', data: [{ job: id, at }] }),
    fetch: async (_, { body }) => {
      bodies.push(body)
      return new Response()
    },
  })
  for (const event of ['job.completed', 'job.failed'] as const)
    await webhooks.send({
      id: 'gen_1_2',
      event,
      job: exampleJob({ id: 'gen_1', phase: event === 'job.completed' ? 'completed' : 'failed' }),
      url,
      at: Date.now(),
      signal: new AbortController().signal,
    })
  const [completed, failed] = bodies.map((body) => JSON.parse(body))
  expect(completed.outputs).toEqual({ object: 'list', data: [{ job: 'gen_1', at: baseUrl }] })
  expect(Object.keys(failed)).toEqual(['type', 'timestamp', 'data'])
})
