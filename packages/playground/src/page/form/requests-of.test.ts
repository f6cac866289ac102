import type { Model } from '@genmount/client'
import { expect, test } from 'vitest'
import { requestsOf } from './requests-of.ts'

const withSeeds = (minimum: number, maximum: number) =>
  ({
    id: 'm',
    input_schema: { properties: { prompt: { type: 'string' }, seed: { type: 'integer', minimum, maximum } } },
  }) as Partial<Model> as Model

test.each([
  ['from the one that is set', { seed: 5 }, withSeeds(0, 100), [5, 6, 7, 8]],
  ['within the bounds of the model', { seed: 99 }, withSeeds(0, 100), [99, 100, 0, 1]],
  ['within the bounds of the model', { seed: 3 }, withSeeds(1, 4), [3, 4, 1, 2]],
])('each of several jobs has a seed of its own, %s', (_what, values, model, seeds) => {
  const draft = { model: 'm', others: [], values, count: 4 }
  expect(requestsOf(draft, [model]).map(({ input }) => input['seed'])).toEqual(seeds)
})

test('the playground chooses random seeds within the bounds of the model', () => {
  const model = withSeeds(1000, 1003)
  const draft = { model: 'm', others: [], values: {}, count: 4 }
  const seeds = requestsOf(draft, [model]).map(({ input }) => Number(input['seed']))
  expect(seeds.toSorted()).toEqual([1000, 1001, 1002, 1003])
})
