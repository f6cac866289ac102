import { expect, test } from 'vitest'
import { arkModels } from './hosted-models.ts'

test('a film of Seedance with films for reference has the lower price that ModelArk charges for it', () => {
  const { price } = arkModels['seedance-2-mini'] ?? {}
  if (typeof price !== 'function') throw new Error('The price is to depend on the input.')
  expect(price({ input: { prompt: 'a fox' }, units: 2 })).toBe(7)
  const reference_videos = ['https://films.example.com/fox.mp4']
  expect(price({ input: { prompt: 'a fox', reference_videos }, units: 2 })).toBe(4.2)
})
