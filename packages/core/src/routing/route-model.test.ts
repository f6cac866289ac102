import { fakeModels, fakeProvider, quietLog } from '@genmount/testing'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import type { Model, Provider } from '../contracts/provider.ts'
import { createGenerationService } from '../service/create-generation-service.ts'
import { routeModel, type RoutedModel, type RouteModelOptions } from './route-model.ts'

const a = fakeProvider({ name: 'a' })
const b = fakeProvider({ name: 'b' })
const image = { provider: a, model: 'fake-image' }

function providerOf(name: string, input: Model['input']): Provider {
  return fakeProvider({ name, models: [{ id: 'm', outputKind: 'image', input }] })
}

test.each<[string, Partial<RouteModelOptions>, string]>([
  ['without a name', { id: '' }, 'id'],
  ['without routes', { routes: [] }, 'routes must be a list of at least one'],
  [
    'by a model that the provider has not',
    { routes: [{ provider: a, model: 'x' }] },
    'fake-image, fake-video',
  ],
  ['by no provider', { routes: [{ model: 'x' } as never] }, 'routes[0]'],
  ['by an input that is no map', { routes: [{ ...image, mapInput: {} as never }] }, 'mapInput must be'],
  ['of two kinds', { routes: [image, { provider: b, model: 'fake-video' }] }, 'video'],
  ['by one route twice', { routes: [image, image] }, 'a/fake-image'],
])('a routed model %s throws a TypeError', (_what, options, words) => {
  const make = () => routeModel({ id: 'flux', routes: [image], ...options })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(words)
})

test('two routes over one provider have different names', () => {
  const { routes } = routeModel({ id: 'flux', routes: [image, { ...image, name: 'second' }] })
  expect(routes.map(({ name }) => name)).toEqual(['a/fake-image', 'second'])
})

test('a routed model has its public id, and takes what it does not define from its first route', () => {
  const slow = fakeProvider({
    name: 'slow',
    models: [{ ...fakeModels[0]!, typicalMs: 9000, retentionDays: 3 }],
  })
  const routes = [
    { provider: slow, model: 'fake-image' },
    { provider: b, model: 'fake-image' },
  ]
  expect(routeModel({ id: 'flux', routes }).model).toEqual({
    id: 'flux',
    outputKind: 'image',
    input: fakeModels[0]!.input,
    typicalMs: 9000,
    retentionDays: 3,
  })
  expect(routeModel({ id: 'flux', routes, typicalMs: 5, retentionDays: 1 }).model).toMatchObject({
    typicalMs: 5,
    retentionDays: 1,
  })
})

test('each route gets the mapped input as its own schema validates it', async () => {
  const words = providerOf('words', v.strictObject({ words: v.string(), steps: v.optional(v.number(), 20) }))
  const { routes } = routeModel({
    id: 'flux',
    routes: [image, { provider: words, model: 'm', mapInput: ({ prompt }) => ({ words: prompt }) }],
  })
  expect(await routes[0]?.inputOf({ prompt: 'a fox' })).toEqual({ prompt: 'a fox' })
  expect(await routes[1]?.inputOf({ prompt: 'a fox' })).toEqual({ words: 'a fox', steps: 20 })
  await expect(routes[1]?.inputOf({ prompt: 7 })).rejects.toThrow('words')
})

test('an input that no route accepts is refused before a job is made, and the error names the field', async () => {
  const short = providerOf('short', v.strictObject({ prompt: v.pipe(v.string(), v.maxLength(5)) }))
  const long = providerOf('long', v.strictObject({ prompt: v.pipe(v.string(), v.maxLength(10)) }))
  const flux = routeModel({
    id: 'flux',
    input: v.strictObject({ prompt: v.string() }),
    routes: [
      { provider: short, model: 'm' },
      { provider: long, model: 'm' },
    ],
  })
  const service = createGenerationService({ providers: [flux], log: quietLog() })
  const create = (prompt: unknown) => service.create({ owner: 'alice', model: 'flux', input: { prompt } })
  expect((await create('seven77')).job.shownInput).toEqual({ prompt: 'seven77' })
  await expect(create('twelve letters')).rejects.toMatchObject({ code: 'invalid_request', param: 'prompt' })
  await expect(create(7)).rejects.toMatchObject({ code: 'invalid_request', param: 'prompt' })
  await service.close()
})

test('a routed model with the id of another model throws a TypeError', () => {
  const flux = () => routeModel({ id: 'fake-video', routes: [image] })
  expect(() => createGenerationService({ providers: [b, flux()] })).toThrow('fake-video')
  expect(() => createGenerationService({ providers: [flux(), flux()] })).toThrow('fake-video')
})

test.each([
  ['before', (flux: RoutedModel) => [flux, a]],
  ['behind', (flux: RoutedModel) => [a, flux]],
] as const)(
  'a routed model that is listed %s its own provider replaces that provider’s model of the same id',
  (_where, providers) => {
    const flux = routeModel({ id: 'fake-image', routes: [{ provider: b, model: 'fake-image' }, image] })
    const service = createGenerationService({ providers: providers(flux), log: { warn() {}, error() {} } })
    const ids = service.models.map(({ id }) => id)
    expect(ids.toSorted()).toEqual(a.models.map(({ id }) => id).toSorted())
    expect(service.models.find(({ id }) => id === 'fake-image')).toBe(flux.model)
  },
)

test('an error of mapInput does not reach clients', async () => {
  const strict = providerOf('strict', v.strictObject({ width: v.number() }))
  const sizes: Partial<Record<string, { readonly width: number }>> = {}
  const mapInput = ({ size }: { readonly size?: unknown }) => ({ width: sizes[String(size)]!.width })
  const flux = routeModel({
    id: 'flux',
    input: v.strictObject({ size: v.string() }),
    routes: [{ provider: strict, model: 'm', mapInput }],
  })
  const service = createGenerationService({ providers: [flux], log: quietLog() })
  await expect(
    service.create({ owner: 'alice', model: 'flux', input: { size: 'huge' } }),
  ).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'The input does not fit the model.',
  })
  await service.close()
})
