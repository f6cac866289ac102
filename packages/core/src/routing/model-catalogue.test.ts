import { expect, test } from 'vitest'
import { exampleJob, fakeProvider, manualClock, quietLog } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { modelCatalogue } from './model-catalogue.ts'
import { routeModel } from './route-model.ts'

const old = fakeProvider({ name: 'old' })
const renamed = fakeProvider({ name: 'new' })
const flux = routeModel({ id: 'flux', routes: [{ provider: old, model: 'fake-image', name: 'main' }] })

/** The route of a job that was submitted, in a service with these providers: provider and model. */
function routeOf(providers: Parameters<typeof modelCatalogue>[0], fields: Partial<Job>) {
  const job = exampleJob({ phase: 'running', model: 'flux', ...fields })
  const route = modelCatalogue(providers, {}, manualClock(), quietLog()).routesOf(job)?.of(job)
  return route && `${route.provider.name} ${route.model}`
}

test('a job of an earlier release, which remembers only its route, is asked about at the provider of that route', () => {
  expect(routeOf([flux], { route: 'main' })).toBe('old fake-image')
  expect(routeOf([flux], { route: 'gone' })).toBeUndefined()
})

test('a job of an earlier release, which does not remember the model of its provider, is asked about by the model of its route, or else by its own', () => {
  expect(routeOf([flux], { route: 'main', provider: 'old' })).toBe('old fake-image')
  expect(routeOf([renamed, flux], { route: 'main', provider: 'new' })).toBe('new flux')
})

test('a job is asked about at nobody if two providers have the name of its own, and neither has its model', () => {
  const twin = fakeProvider({ name: 'old', models: [{ ...old.models[0]!, id: 'other' }] })
  expect(routeOf([old, twin], { provider: 'old' })).toBeUndefined()
  expect(routeOf([old, twin], { provider: 'old', model: 'other' })).toBe('old other')
})
