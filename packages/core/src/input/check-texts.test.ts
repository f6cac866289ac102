import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import type { Model } from '../contracts/provider.ts'

const half = '\ud83d'

/** A model that accepts every input. */
const openModel = {
  id: 'fake-image',
  outputKind: 'image',
  input: {
    '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value: value as object }) },
  },
} as const satisfies Model

/** What a client sends, and the field that the refusal names. */
const broken: readonly [what: string, request: object, param: string][] = [
  ['half of a character in a prompt', { input: { prompt: `x ${half} end` } }, 'prompt'],
  ['a second half without a first', { input: { prompt: '\ude00' } }, 'prompt'],
  ['the halves in the wrong order', { input: { prompt: '\ude00\ud83d' } }, 'prompt'],
  ['NUL in a prompt', { input: { prompt: 'a\0b' } }, 'prompt'],
  [
    'half of a character in a list in an object',
    { input: { shots: [{ words: ['a', `${half}`] }] } },
    'shots.0.words.1',
  ],
  ['half of a character in the name of a field', { input: { [`a${half}b`]: 1 } }, 'a\ufffdb'],
  ['NUL in the name of a field within', { input: { options: { 'a\0': 1 } } }, 'options.a '],
  ['half of a character in the metadata', { metadata: { shot: `${half}` } }, 'metadata.shot'],
  ['NUL in the metadata', { metadata: { shot: '\0' } }, 'metadata.shot'],
  ['half of a character in a key of the metadata', { metadata: { [half]: 'x' } }, 'metadata.\ufffd'],
]

test.each(broken)(
  'a request with %s is refused by the name of its field, before any spend',
  async (_what, { input = {}, metadata }: { input?: object; metadata?: object }, param) => {
    const admitted: unknown[] = []
    const { service, provider, create } = fakeWorld(
      {},
      { admit: (job) => void admitted.push(job), provider: { models: [openModel] } },
    )
    await expect(create(input, { metadata } as never)).rejects.toMatchObject({
      code: 'invalid_request',
      param: param.startsWith('metadata') ? 'metadata' : param,
      message: expect.stringContaining(`${param} `),
    })
    expect([admitted, provider.ledger]).toEqual([[], []])
    await service.close()
  },
)

test('whole characters of every plane, control characters and the replacement character are accepted', async () => {
  const { service, create } = fakeWorld()
  const prompt = '\u{1f98a} \u{10ffff} \ufffd \uffff \u0001 \u202e \r\n'
  expect((await create({ prompt }, { metadata: { [prompt.slice(0, 9)]: prompt } })).input).toMatchObject({
    prompt,
  })
  await service.close()
})
