import { expect, test } from 'vitest'
import { webhookJson } from './webhook-json.ts'

test('a webhook is read as JSON, and refused when it is no JSON, too wide or too deep', () => {
  const read = (text: string) => webhookJson(new TextEncoder().encode(text))
  expect(read('{"id":"t-1"}')).toEqual({ id: 't-1' })
  for (const text of ['', '{', `[0${',1'.repeat(100_000)}]`, '['.repeat(65) + ']'.repeat(65)])
    expect(() => read(text)).toThrow('The webhook is not JSON, or has more than 100000 keys and values.')
})
