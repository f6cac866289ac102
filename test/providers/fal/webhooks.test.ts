import type { Json } from '@genmount/core'
import { expect, test } from 'vitest'
import type { CallbackRequest } from '@genmount/core'
import { always, type VendorReply } from '../vendor-server.ts'
import { falRoute, isFor } from './fal-fake.ts'
import { falFake, pictureTask, providerAt, untroubled } from './fal-world.ts'

const callbackUrl = 'https://app.example/v1/callbacks/fal/job-1/t0p-s3cret?a=b&c'
const called = { ...untroubled, callbackUrl }
const hour = 60 * 60_000

/** A provider on a clock of its own, with a task that fal has finished. */
async function hookedWorld() {
  const fake = await falFake()
  const clock = { at: Date.UTC(2026, 0, 1) }
  const provider = providerAt(fake, { now: () => clock.at })
  await provider.submit(pictureTask, called)
  const task = fake.ledger[0]!
  const receive = (request: CallbackRequest) => provider.readCallback!(request)
  const hook = () => fake.webhookOf(task, clock.at)
  const keyFetches = () => fake.requests.filter((request) => falRoute(request) === 'keys')
  return { fake, clock, provider, task, receive, hook, keyFetches }
}

test('the fal provider sends the callback URL with the submit and reads the handle from a genuine webhook', async () => {
  const { provider, task, receive, hook } = await hookedWorld()
  expect(task.webhook).toBe(callbackUrl)
  const handle = (await receive(hook())) as Json
  expect(handle).toEqual({ id: task.requestId, request_id: task.requestId })
  task.pollsLeft = 0
  expect(await provider.poll({ ...pictureTask, handle }, untroubled)).toMatchObject({ state: 'succeeded' })
})

test('the fal provider asks for no webhook without a callback URL', async () => {
  const fake = await falFake()
  await providerAt(fake).submit(pictureTask, untroubled)
  expect(fake.requests[0]?.url.href).toBe('https://queue.fal.run/fal-ai/flux/schnell')
})

test('the fal provider removes the callback URL from the errors of fal', async () => {
  const fake = await falFake()
  const quotes = `No webhook at ${callbackUrl} (${encodeURIComponent(callbackUrl)}).`
  for (const status of [400, 422]) {
    fake.trouble(isFor('submit'), { instead: { status, json: { detail: quotes } } })
    const report = await providerAt(fake).submit(pictureTask, called)
    expect(report).toMatchObject({ message: 'No webhook at [callback] ([callback]).' })
  }
  fake.trouble(isFor('submit'), { instead: { status: 503, json: { detail: quotes } } })
  const error = await providerAt(fake).submit(pictureTask, called).catch(String)
  expect(error).not.toContain('t0p-s3cret')
})

test.each<[string, (genuine: CallbackRequest, other: CallbackRequest) => CallbackRequest]>([
  ['another body', (genuine) => ({ ...genuine, body: Buffer.from('{"request_id":"x"}') })],
  [
    'a body that is the same but for its spaces',
    (genuine) => ({ ...genuine, body: Buffer.concat([genuine.body, Buffer.from(' ')]) }),
  ],
  ['another request id', (genuine) => withHeader(genuine, 'request-id', 'x')],
  ['another user', (genuine) => withHeader(genuine, 'user-id', 'x')],
  ['another time', (genuine) => withHeader(genuine, 'timestamp', String(Date.UTC(2026, 0, 1) / 1000 + 1))],
  ['a time that is none', (genuine) => withHeader(genuine, 'timestamp', 'NaN')],
  ['no signature', (genuine) => withHeader(genuine, 'signature', '')],
  ['a signature of zeroes', (genuine) => withHeader(genuine, 'signature', '0'.repeat(128))],
  [
    'half a signature',
    (genuine) => withHeader(genuine, 'signature', genuine.headers['x-fal-webhook-signature']!.slice(64)),
  ],
  ['the signature of a key that fal never had', (_genuine, other) => other],
])('a webhook of fal with %s is refused', async (_what, forge) => {
  const { clock, task, receive, hook } = await hookedWorld()
  const stranger = await falFake()
  await expect(receive(forge(hook(), stranger.webhookOf(task, clock.at)))).rejects.toThrow(/webhook/)
  await receive(hook())
})

test('a webhook of fal is accepted up to five minutes before and after its timestamp', async () => {
  const { fake, clock, task, receive } = await hookedWorld()
  for (const seconds of [-299, 299]) await receive(fake.webhookOf(task, clock.at + seconds * 1000))
  for (const seconds of [-301, 301])
    await expect(receive(fake.webhookOf(task, clock.at + seconds * 1000))).rejects.toThrow(
      'more than five minutes old',
    )
})

test('webhookUserId refuses the webhooks of other users of fal', async () => {
  const { fake, clock, task, hook } = await hookedWorld()
  const now = () => clock.at
  await providerAt(fake, { now, webhookUserId: 'github|1234567' }).readCallback!(hook())
  const stranger = providerAt(fake, { now, webhookUserId: 'github|7654321' })
  await expect(stranger.readCallback!(fake.webhookOf(task, clock.at))).rejects.toThrow('another user')
})

test('the fal provider fetches the public keys of fal once a day, without its own key', async () => {
  const { clock, receive, hook, keyFetches } = await hookedWorld()
  for (let hours = 0; hours <= 24; hours += 6, clock.at += 6 * hour) await receive(hook())
  expect(keyFetches()).toHaveLength(1)
  await receive(hook())
  expect(keyFetches()).toHaveLength(2)
  expect(keyFetches()[0]?.headers).not.toHaveProperty('authorization')
})

test('the fal provider fetches the public keys again for a webhook that a new key has signed', async () => {
  const { fake, clock, receive, hook, keyFetches } = await hookedWorld()
  await receive(hook())
  fake.rotateKey()
  clock.at += hour
  await receive(hook())
  expect(keyFetches()).toHaveLength(2)
})

test('a thousand forged webhooks make the fal provider fetch the public keys at most once a minute', async () => {
  const { clock, receive, hook, keyFetches } = await hookedWorld()
  const forge = () =>
    receive(withHeader(hook(), 'signature', 'ab'.repeat(64))).then(
      () => 'taken',
      () => 'refused',
    )
  const outcomes = await Promise.all(Array.from({ length: 500 }, forge))
  clock.at += 61_000
  outcomes.push(...(await Promise.all(Array.from({ length: 500 }, forge))))
  expect(new Set(outcomes)).toEqual(new Set(['refused']))
  expect(keyFetches()).toHaveLength(2)
})

test.each<[string, VendorReply]>([
  ['cannot be reached', { status: 503 }],
  ['are refused', { status: 403 }],
  ['are none', { json: { keys: [] } }],
  ['are not JSON', { body: '<html>' }],
  [
    'are of another kind',
    { json: { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }, null, { kty: 'OKP', crv: 'X25519', x: 'AA' }] } },
  ],
  ['are at another place', { status: 302, headers: { location: 'https://evil.example/jwks.json' } }],
])(
  'while the public keys of fal %s, only webhooks of keys from the last day are accepted',
  async (_what, instead) => {
    const { fake, clock, receive, hook } = await hookedWorld()
    fake.trouble(isFor('keys'), always({ instead }))
    await expect(receive(hook())).rejects.toThrow()
    fake.calm()
    clock.at += 61_000
    await receive(hook())
    fake.trouble(isFor('keys'), always({ instead }))
    clock.at += 23 * hour
    await receive(hook())
    await expect(receive(withHeader(hook(), 'signature', 'ab'.repeat(64)))).rejects.toThrow()
    clock.at += hour + 1000
    await expect(receive(hook())).rejects.toThrow()
  },
)

test('the fal provider waits at most two seconds for the public keys of fal', async () => {
  const { fake, receive, hook } = await hookedWorld()
  fake.trouble(isFor('keys'), { instead: 'silence' })
  const startedAt = performance.now()
  await expect(receive(hook())).rejects.toThrow()
  expect(performance.now() - startedAt).toBeLessThan(15_000)
})

function withHeader(request: CallbackRequest, name: string, value: string): CallbackRequest {
  return { ...request, headers: { ...request.headers, [`x-fal-webhook-${name}`]: value } }
}

test('a genuine webhook of fal brings the result of its own task, and only names the request of another', async () => {
  const { provider, task, hook } = await hookedWorld()
  task.pollsLeft = 0
  const older = { request_id: task.requestId }
  const own = { id: task.requestId, ...older }
  const read = (handle: Json) => provider.readCallback!(hook(), { ...pictureTask, handle })
  for (const handle of [own, older, null])
    expect(await read(handle)).toMatchObject({
      handle: own,
      report: { state: 'succeeded', outputs: [{ url: expect.stringMatching(/^https:/) }] },
    })
  expect(await read({ request_id: 'another' })).toEqual(own)
})
