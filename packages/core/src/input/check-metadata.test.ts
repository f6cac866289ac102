import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import { checkMetadata } from './validate-input.ts'

const full = Object.fromEntries(
  Array.from({ length: 16 }, (_, n) => [`${n}`.padEnd(64, 'k'), 'v'.repeat(512)] as const),
)

test.each([
  ['16 keys of 64 characters with texts of 512', full, full],
  ['an empty text', { a: '' }, { a: '' }],
  ['an empty object', {}, undefined],
  ['null', null, undefined],
  ['nothing', undefined, undefined],
])('metadata may be %s', (_what, value, kept) => expect(checkMetadata(value)).toEqual(kept))

test.each([
  ['a text', 'a'],
  ['a list', ['a']],
  ['17 keys', { ...full, more: '' }],
  ['a key of 65 characters', { ['k'.repeat(65)]: '' }],
  ['a key without a character', { '': '' }],
  ['a key __proto__', JSON.parse('{"__proto__":"x"}')],
  ['a text of 513 characters', { a: 'v'.repeat(513) }],
  ['a number', { a: 1 }],
  ['null as a text', { a: null }],
  ['an object within', { a: {} }],
])('metadata that is or has %s is refused', (_what, value) => {
  expect(() => checkMetadata(value)).toThrow(
    expect.objectContaining({ code: 'invalid_request', param: 'metadata' }),
  )
})

test('the refusal of a metadata value names its key', () => {
  expect(() => checkMetadata({ a: 'x', shot: 17 })).toThrow(
    'metadata.shot must be a text of at most 512 characters.',
  )
})

test('metadata stays with its job to its end and is never sent to a provider', async () => {
  const metadata = { shot: 'seventeen' }
  const calls: unknown[] = []
  const { create, jobAfter, service } = fakeWorld(
    {},
    {
      provider: {
        submit: async (task) => (calls.push(task), { state: 'running', handle: 1 }),
        poll: async (task) => (
          calls.push(task),
          { state: 'succeeded', outputs: [{ url: 'https://a.example/1.png' }] }
        ),
      },
    },
  )
  const { id } = await create({}, { metadata })
  expect(await jobAfter(60_000, id)).toMatchObject({ phase: 'completed', metadata })
  expect(calls.length).toBeGreaterThan(1)
  expect(JSON.stringify(calls)).not.toContain('seventeen')
  await service.close()
})

test('an idempotency key with other metadata is refused, and with the same metadata gives the same job', async () => {
  const { create, service } = fakeWorld()
  const idempotency = { key: 'key', scope: 'scope' }
  const first = await create({}, { idempotency, metadata: { a: '1' } })
  expect((await create({}, { idempotency, metadata: { a: '1' } })).id).toBe(first.id)
  for (const metadata of [{ a: '2' }, undefined])
    await expect(create({}, { idempotency, metadata })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
  await service.close()
})
