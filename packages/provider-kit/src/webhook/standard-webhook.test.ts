import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { standardWebhook } from './standard-webhook.ts'

const key = Buffer.from('a key of thirty-two bytes or so..')
const secret = `whsec_${key.toString('base64')}`
const body = Buffer.from('{"id":"p1"}')
const now = 1_700_000_000_000

function signed({ id = 'msg_1', at = now, text = body.toString(), signingKey = key } = {}) {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', signingKey).update(`${id}.${timestamp}.${text}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

const verify = (headers: Record<string, string>, changes = {}) =>
  standardWebhook({ secret, headers, body, now, ...changes })

test('a genuine webhook is accepted, also beside signatures of other keys and versions', async () => {
  await verify(signed())
  const others = `v1a,AAAA v1,${Buffer.alloc(32).toString('base64')} v1,%%% `
  await verify({ ...signed(), 'webhook-signature': others + signed()['webhook-signature'] })
  await verify(signed({ at: now - 299_000 }))
  await verify(signed({ at: now + 299_000 }))
})

test('at most ten signatures of a webhook are checked', async () => {
  const after = (wrong: number) => {
    const signature = `${'v1,AAAA '.repeat(wrong)}${signed()['webhook-signature']}`
    return verify({ ...signed(), 'webhook-signature': signature })
  }
  await after(9)
  await expect(after(10)).rejects.toThrow('no signature that was made with our secret')
})

test('the example of the specification is accepted', async () => {
  // https://github.com/standard-webhooks/standard-webhooks, libraries' shared test vector
  await standardWebhook({
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    body: Buffer.from('{"test": 2432232314}'),
    now: 1_614_265_330_000,
  })
})

test.each<[string, Record<string, string>, object?]>([
  ['another body', signed({ text: '{"id":"p2"}' })],
  ['another key', signed({ signingKey: Buffer.from('x') })],
  ['another id', { ...signed(), 'webhook-id': 'msg_2' }],
  ['another time', { ...signed(), 'webhook-timestamp': String(now / 1000 + 1) }],
  ['an old time', signed({ at: now - 301_000 })],
  ['a time in the future', signed({ at: now + 301_000 })],
  ['no signature', { ...signed(), 'webhook-signature': '' }],
  ['an empty signature', { ...signed(), 'webhook-signature': 'v1,' }],
  [
    'a signature of another version',
    { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1', 'v2') },
  ],
  ['nothing at all', {}],
])('a webhook with %s is refused', async (_what, headers) => {
  await expect(verify(headers)).rejects.toThrow('The webhook')
})

test('an invalid webhook secret throws a TypeError', async () => {
  for (const wrong of ['', 'whsec_', 'whsec_%%%'])
    await expect(verify(signed(), { secret: wrong })).rejects.toThrow('must be a key in base64')
})
