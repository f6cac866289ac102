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

test('models get durations and prices from the provider, which the app may override', () => {
  const { models, of } = catalogue({ fox: {}, hen: { typicalMs: 5, retentionDays: 2 } })
  expect(models).toMatchObject([
    { id: 'fox', outputKind: 'image', typicalMs: 9000, retentionDays: undefined },
    { id: 'hen', typicalMs: 5, retentionDays: 2 },
  ])
  expect(of({ model: 'hen' }).said).toBe("models['hen'] hen")
  expect(() => of({ model: 'toString' })).toThrow('does not offer a model named toString')
})

test('a model has the description that the app gives it, otherwise that of its provider, otherwise none', () => {
  const { models } = offerModels((_options: ModelOptions, _at, id) => ({
    outputKind: 'image' as const,
    input: v.strictObject({}),
    description: id === 'hen' ? 'Draws hens.' : undefined,
  }))('models', { fox: { description: 'Draws foxes.' }, hen: {}, owl: {} })
  expect(models.map(({ description }) => description)).toEqual(['Draws foxes.', 'Draws hens.', undefined])
})

test('models with ids of their own are listed, and may get other ids by an object', () => {
  const fox = { id: 'fox', typicalMs: 5 }
  expect(catalogue([fox, { ...fox, id: 'vixen' }]).models).toMatchObject([
    { id: 'fox', typicalMs: 5 },
    { id: 'vixen', typicalMs: 5 },
  ])
  const { models, of } = catalogue({ renard: fox })
  expect(models).toMatchObject([{ id: 'renard', typicalMs: 5 }])
  expect(of({ model: 'renard' }).said).toBe("models['renard'] renard")
})

test.each([
  [[], 'models must'],
  [[{ typicalMs: 5 }], 'models[0].id must be'],
  [[{ id: '' }], 'models[0].id must be'],
  [[null], 'models[0].id must be'],
  [[{ id: 'fox' }, { id: 'fox' }], "models has two models with the id 'fox'"],
  [{ fox: { id: 7 } }, "models['fox'].id must be"],
  [undefined, 'models must'],
  [null, 'models must'],
  ['fox', 'models must'],
  [{}, 'models must'],
  [{ ' fox': {} }, "models[' fox'] must"],
  [{ fox: { typicalMs: 0 } }, "models['fox'].typicalMs must"],
  [{ fox: { typicalMs: 'long' } }, "models['fox'].typicalMs must"],
  [{ fox: { description: '' } }, "models['fox'].description must"],
  [{ fox: { description: ['Draws foxes.'] } }, "models['fox'].description must"],
  [{ fox: { retentionDays: 0.5 } }, "models['fox'].retentionDays must"],
])('the models %j throw a TypeError', (models, message) => {
  expect(() => catalogue(models)).toThrow(TypeError)
  expect(() => catalogue(models)).toThrow(message)
})
