import { expect, test } from 'vitest'
import { quietLog } from '@genmount/testing'
import { optionalParts } from './optional-parts.ts'

test('calls of a part that is still loading are made in their order once it is loaded', async () => {
  const { load, ready } = optionalParts(quietLog())
  const { promise: made, resolve: finish } = Promise.withResolvers<string[]>()
  const whenLoaded = load('uploads', () => made)
  const early = [1, 2].map((number) => whenLoaded((part) => part.push(`early ${number}`)))
  const part: string[] = []
  finish(part)
  await ready()
  expect(await Promise.all(early)).toEqual([1, 2])
  expect(whenLoaded(({ length }) => length)).toBe(2)
  expect(part).toEqual(['early 1', 'early 2'])
})

test('a part that can not be loaded is logged once, refuses every call, and is not ready', async () => {
  const log = quietLog()
  const { load, ready } = optionalParts(log)
  const cause = new Error('The file is gone.')
  const whenLoaded = load('limits', () => Promise.reject(cause))
  // Nobody awaits this call, as when a job that has ended is counted.
  void whenLoaded(() => 'told')
  const refusal = { message: 'The code of the option limits could not be loaded.', cause }
  await expect(whenLoaded(() => 'early')).rejects.toMatchObject(refusal)
  await expect(whenLoaded(() => 'late')).rejects.toMatchObject(refusal)
  await expect(ready()).rejects.toMatchObject(refusal)
  expect(log.errors).toHaveLength(1)
})
