import { expect, test } from 'vitest'
import { arkModels } from './models.ts'

const withFilms = { prompt: 'a fox', reference_videos: ['https://films.example.com/fox.mp4'] }

test('a film of Seedance with films for reference has the lower price that ModelArk charges for it', () => {
  const { price } = arkModels['seedance-2-mini']
  expect(price({ input: { prompt: 'a fox' }, units: 2 })).toBe(7)
  expect(price({ input: withFilms, units: 2 })).toBe(4.2)
})

test('a film of Seedance 2.5 of 1080p has no known cost, because no published price was found', () => {
  const { price } = arkModels['seedance-2.5']
  expect(price({ input: { resolution: '720p' }, units: 1 })).toBe(10.7)
  expect(price({ input: { ...withFilms, resolution: '480p' }, units: 1 })).toBe(6.4)
  expect(price({ input: { resolution: '1080p' }, units: 1 })).toBeNaN()
})
