import * as v from 'valibot'
import { expect, test } from 'vitest'
import { offerModels, type ModelOptions } from './offer-models.ts'

const catalogue = (models: unknown) =>
  offerModels((_options: ModelOptions, at, id) => ({
    outputKind: 'image' as const,
    input: v.strictObject({}),
    typicalMs: 9000,
    said: `${at} ${id}`,
  }))('models', models)

test('models are offered with what the service schedules by, the app having the last word', () => {
  const { models, of } = catalogue({ fox: {}, hen: { typicalMs: 5, retentionDays: 2 } })
  expect(models).toMatchObject([
    { id: 'fox', outputKind: 'image', typicalMs: 9000, retentionDays: undefined },
    { id: 'hen', typicalMs: 5, retentionDays: 2 },
  ])
  expect(of({ model: 'hen' }).said).toBe("models['hen'] hen")
  expect(() => of({ model: 'toString' })).toThrow('does not offer a model named toString')
})

test.each([
  [undefined, 'models must'],
  [null, 'models must'],
  ['fox', 'models must'],
  [[{}], 'models must'],
  [{}, 'models must'],
  [{ ' fox': {} }, "models[' fox'] must"],
  [{ fox: { typicalMs: 0 } }, "models['fox'].typicalMs must"],
  [{ fox: { typicalMs: 'long' } }, "models['fox'].typicalMs must"],
  [{ fox: { retentionDays: 0.5 } }, "models['fox'].retentionDays must"],
])('the models %j are refused', (models, message) => {
  expect(() => catalogue(models)).toThrow(TypeError)
  expect(() => catalogue(models)).toThrow(message)
})
