import { exampleJob, fakeProvider, manualClock, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'
import type { Model, Provider } from '../contracts/provider.ts'
import { modelCatalogue } from './model-catalogue.ts'

const fake = fakeProvider({ name: 'router' })
const model = (id: string): Model => ({ ...fake.models[0]!, id })

/** A provider whose models change, and how to change them. */
function changing(...ids: readonly string[]) {
  const models = ids.map(model)
  const followers = new Set<() => void>()
  const provider: Provider = {
    ...fake,
    models,
    followModels(changed) {
      followers.add(changed)
      return () => void followers.delete(changed)
    },
  }
  const change = (...next: readonly string[]) => {
    models.splice(0, models.length, ...next.map(model))
    for (const changed of followers) changed()
  }
  return { provider, change, followers }
}

const catalogueOf = (...providers: readonly Provider[]) => {
  const log = quietLog()
  return { ...modelCatalogue(providers, {}, manualClock(), log), log }
}

test('the models of a service follow those of a provider, also from none', () => {
  const { provider, change, followers } = changing()
  const { models, modelOf, followModels } = catalogueOf(provider)
  const end = followModels()
  change('a', 'b')
  expect(models.map(({ id }) => id)).toEqual(['a', 'b'])
  change('b', 'c')
  expect([models.map(({ id }) => id), modelOf('a'), modelOf('c')?.id]).toEqual([['b', 'c'], undefined, 'c'])
  end()
  expect(followers.size).toBe(0)
})

test('a provider that is offered later is followed too, and one that is offered no more is not', () => {
  const { provider, followers } = changing('a')
  const later = changing()
  const { models, offer, followModels } = catalogueOf(provider)
  const end = followModels()
  offer([later.provider])
  expect([followers.size, later.followers.size]).toEqual([0, 1])
  later.change('b')
  expect(models.map(({ id }) => id)).toEqual(['b'])
  end()
  expect(later.followers.size).toBe(0)
})

test('an accepted job and a running job of a model that is gone still have their route', () => {
  const { provider, change } = changing('a')
  const { routesOf, followModels } = catalogueOf(provider)
  followModels()
  change('b')
  const accepted = exampleJob({ phase: 'accepted', model: 'a' })
  const running = exampleJob({ phase: 'running', model: 'a', provider: 'router' })
  for (const job of [accepted, running]) expect(routesOf(job)?.of(job)?.provider).toBe(provider)
})

test('a model that another provider already serves is left out when it comes, and the log names both', () => {
  const { provider, change } = changing('a')
  const other = { ...fakeProvider({ name: 'other' }), models: [model('b')] }
  const { models, modelOf, followModels, routesOf, log } = catalogueOf(other, provider)
  followModels()
  change('a', 'b')
  expect(models.map(({ id }) => id)).toEqual(['b', 'a'])
  const job = exampleJob({ phase: 'accepted', model: 'b' })
  expect([modelOf('b')?.id, routesOf(job)?.of(job)?.provider]).toEqual(['b', other])
  expect(JSON.stringify(log)).toMatch(/other.*router|providers\[0\].*providers\[1\]/)
})

test('an alias may name a model that the vendor has not listed yet', () => {
  const { provider, change } = changing()
  const log = quietLog()
  const { modelOf, followModels } = modelCatalogue([provider], { best: 'a' }, manualClock(), log)
  followModels()
  expect(modelOf('best')).toBeUndefined()
  change('a')
  expect(modelOf('best')?.id).toBe('a')
})

test('a provider whose followModels throws, or whose end of it throws, keeps its models, and the log has the error', () => {
  const { provider } = changing('a')
  const fault = new Error('no list')
  const fail = () => {
    throw fault
  }
  for (const followModels of [fail, () => fail]) {
    const { models, followModels: follow, log } = catalogueOf({ ...provider, followModels })
    const end = follow()
    end()
    expect(models.map(({ id }) => id)).toEqual(['a'])
    expect(log.causes).toEqual([fault])
  }
})
