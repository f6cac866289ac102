import { expect, test } from 'vitest'
import { cpuTimeOf } from '@genmount/testing'
import type { Identity } from './access-options.ts'
import { apiKeys } from './api-keys.ts'

test('each key stands for its owner, and an owner may have several', () => {
  const authenticate = apiKeys({ alice: 'alice-key', bob: ['old-key', 'new-key'] })
  expect(authenticate('alice-key')).toMatchObject({ owner: 'alice' })
  expect(authenticate('old-key')).toMatchObject({ owner: 'bob' })
  expect(authenticate('new-key')).toMatchObject({ owner: 'bob' })
})

test('each key has an id of its own, the same in every process, which is valid for as long as the key is known', () => {
  const authenticate = apiKeys({ bob: ['old-key', 'new-key'] })
  const later = apiKeys({ bob: 'new-key' })
  const [old, kept] = ['old-key', 'new-key'].map((key) => (authenticate(key) as Identity).keyId!)
  expect(old).toMatch(/^[0-9a-f]{16}$/)
  expect([old, kept].map((id) => authenticate.isKeyValid(id!))).toEqual([true, true])
  expect([old, kept].map((id) => later.isKeyValid(id!))).toEqual([false, true])
  expect(later.isKeyValid('new-key')).toBe(false)
})

test('what is nearly a key stands for nobody', () => {
  const authenticate = apiKeys({ alice: 'alice-key' })
  for (const token of ['', 'alice', 'alice-key2', 'Alice-key', 'alice-ke', '__proto__'])
    expect(authenticate(token)).toBeUndefined()
})

test('a key that no client could send is refused at once, and the message does not show it', () => {
  const bad = ['', 'two words', 'k\u00e9y', 'line\n', 'k'.repeat(4097), '==', undefined, [], ['fine', '']]
  for (const key of bad) {
    const give = () => apiKeys({ alice: key })
    expect(give).toThrow(TypeError)
    expect(give).toThrow(/alice/)
    if (typeof key === 'string' && key.length > 2) expect(give).not.toThrow(key)
  }
})

test('a key may stand for one owner only', () => {
  expect(() => apiKeys({ alice: 'same-key', bob: 'same-key' })).toThrow(
    /^apiKeys: a key of "bob" is given twice\.$/,
  )
})

test('no keys at all is a mistake', () => {
  expect(() => apiKeys({})).toThrow(TypeError)
})

test('a hundred thousand keys cost as much as one, at the start and for every wrong token', async () => {
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
