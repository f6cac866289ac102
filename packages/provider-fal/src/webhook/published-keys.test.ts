import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { publishedKeys } from './published-keys.ts'

const message = new TextEncoder().encode('a message')
const minuteMs = 60_000

/** A vendor with one key, a clock, and the requests that the vendor received. */
function vendorWithKey() {
  const pair = generateKeyPairSync('ed25519')
  const clock = { at: 0 }
  const asked: Headers[] = []
  const others = [null, { kty: 'RSA', n: 'AQAB', e: 'AQAB' }]
  const hasSigned = publishedKeys({
    vendor: 'Acme',
    url: 'https://keys.acme.example/jwks.json',
    maxAgeMs: 60 * minuteMs,
    fetch: async (_url, init) => {
      asked.push(new Headers(init?.headers))
      return Response.json({ keys: [...others, pair.publicKey.export({ format: 'jwk' })] })
    },
    now: () => clock.at,
  })
  return { hasSigned, clock, asked, signature: new Uint8Array(sign(null, message, pair.privateKey)) }
}

test('the public keys of a vendor are fetched at the first signature, and again only when they are old', async () => {
  const { hasSigned, clock, asked, signature } = vendorWithKey()
  expect(asked).toHaveLength(0)
  for (const minutes of [0, 30, 60]) {
    clock.at = minutes * minuteMs
    expect(await hasSigned(message, signature)).toBe(true)
  }
  expect(asked).toHaveLength(1)
  clock.at = 61 * minuteMs
  expect(await hasSigned(message, signature)).toBe(true)
  expect(asked).toHaveLength(2)
})

test('signatures by unknown keys are refused, and cause one request a minute', async () => {
  const { hasSigned, clock, asked, signature } = vendorWithKey()
  const forged = signature.map((byte) => byte ^ 1)
  for (const second of [0, 1, 59]) {
    clock.at = second * 1000
    expect(await hasSigned(message, forged)).toBe(false)
  }
  expect(asked).toHaveLength(1)
  expect(await hasSigned(message, signature)).toBe(true)
})
