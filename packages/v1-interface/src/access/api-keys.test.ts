import { expect, test } from 'vitest'
import { cpuTimeOf } from '@genmount/testing'
import type { Identity } from './access-options.ts'
import { apiKeys } from './api-keys.ts'

test('each API key authenticates its owner, and an owner may have several keys', () => {
  const authenticate = apiKeys({ alice: 'alice-key', bob: ['old-key', 'new-key'] })
  expect(authenticate('alice-key')).toMatchObject({ owner: 'alice' })
  expect(authenticate('old-key')).toMatchObject({ owner: 'bob' })
  expect(authenticate('new-key')).toMatchObject({ owner: 'bob' })
})

test('each API key has an id that is the same in every process and valid as long as the key is listed', () => {
  const authenticate = apiKeys({ bob: ['old-key', 'new-key'] })
  const later = apiKeys({ bob: 'new-key' })
  const [old, kept] = ['old-key', 'new-key'].map((key) => (authenticate(key) as Identity).keyId!)
  expect(old).toMatch(/^[0-9a-f]{16}$/)
  expect([old, kept].map((id) => authenticate.isKeyValid(id!))).toEqual([true, true])
  expect([old, kept].map((id) => later.isKeyValid(id!))).toEqual([false, true])
  expect(later.isKeyValid('new-key')).toBe(false)
})

test('a token that differs from an API key in one character authenticates nobody', () => {
  const authenticate = apiKeys({ alice: 'alice-key' })
  for (const token of ['', 'alice', 'alice-key2', 'Alice-key', 'alice-ke', '__proto__'])
    expect(authenticate(token)).toBeUndefined()
})

test('an API key with characters that no header can carry throws a TypeError that does not show the key', () => {
  const bad = ['', 'two words', 'k\u00e9y', 'line\n', 'k'.repeat(4097), '==', undefined, [], ['fine', '']]
  for (const key of bad) {
    const give = () => apiKeys({ alice: key })
    expect(give).toThrow(TypeError)
    expect(give).toThrow(/alice/)
    if (typeof key === 'string' && key.length > 2) expect(give).not.toThrow(key)
  }
})

test('the same API key for two owners throws a TypeError', () => {
  expect(() => apiKeys({ alice: 'same-key', bob: 'same-key' })).toThrow(
    /^apiKeys: a key of "bob" is given twice\.$/,
  )
})

test('apiKeys without any key throws a TypeError', () => {
  expect(() => apiKeys({})).toThrow(TypeError)
})

test('a wrong token is refused as fast with 100,000 API keys as with one', async () => {
  const many = Array.from(
    { length: 100_000 },
    (_, i) => [`owner ${i}`, `key-${i}-${'k'.repeat(20)}`] as const,
  )
  const cpuMs = await cpuTimeOf(() => {
    const authenticate = apiKeys(Object.fromEntries(many))
    for (let i = 0; i < 10_000; i++) expect(authenticate(`wrong-${i}`)).toBeUndefined()
    expect(authenticate(many[99_999]![1])).toMatchObject({ owner: 'owner 99999' })
  })
  expect(cpuMs).toBeLessThan(10_000)
})
