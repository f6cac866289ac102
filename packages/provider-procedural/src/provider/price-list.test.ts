import { expect, test } from 'vitest'
import { priceList } from './price-list.ts'

const task = (model: string, input: Record<string, number>) => ({
  jobId: 'j',
  clientToken: 't',
  model,
  input,
})

test('procedural models cost nothing without the option prices', () => {
  expect(priceList('prices', undefined)(task('procedural-image', { num_outputs: 4 }))).toBe(0)
})

test('a procedural picture costs its price for each output, and a film for each second', () => {
  const costOf = priceList('prices', { 'procedural-image': 0.1, 'procedural-video': 0.02 })
  expect(costOf(task('procedural-image', { num_outputs: 3 }))).toBe(0.3)
  expect(costOf(task('procedural-video', { duration: 2.5, fps: 24 }))).toBe(0.05)
})

test.each([
  [{ 'procedural-image': -1 }, /procedural-image.*at least 0/],
  [{ 'procedural-video': Number.NaN }, /procedural-video.*at least 0/],
  [{ 'procedural-video': '1' }, /procedural-video.*at least 0/],
  [{ dalle: 1 }, /dalle is not an option; the options are procedural-image, procedural-video/],
])('proceduralProvider throws a TypeError that explains the wrong prices %j', (prices, message) => {
  expect(() => priceList('it: prices', prices)).toThrow(TypeError)
  expect(() => priceList('it: prices', prices)).toThrow(message)
})
