import { expect, test } from 'vitest'
import { count, optional } from './check-option.ts'
import { checkOptions } from './check-options.ts'
import { contract } from './contract.ts'
import { nearestName } from './nearest-name.ts'

const table = { maxJobs: optional(count(), 10), 'max-age': optional(count()) }

test('options that are left out have their defaults, with or without an object around them', () => {
  for (const options of [undefined, {}, { maxJobs: undefined }])
    expect(checkOptions('store', options, table)).toEqual({ maxJobs: 10, 'max-age': undefined })
})

test('an error tells the factory and the place of the option', () => {
  expect(() => checkOptions('store', { maxJobs: 0 }, table)).toThrow(/^store: maxJobs must be/)
  expect(() => checkOptions('store: parts[0]', { maxJobs: 0 }, table)).toThrow(
    /^store: parts\[0\]\.maxJobs must be/,
  )
  expect(() => checkOptions('store: parts', { 'max-age': 0 }, table)).toThrow(
    /^store: parts\['max-age'\] must be/,
  )
})

test.each([null, 'jobs.db', 5, [], new Map(), () => {}])('%o is no object of options', (options) => {
  expect(() => checkOptions('store', options, table)).toThrow(/^store: the options must be an object, not /)
})

test('an option of an object with a prototype counts like any other', () => {
  class Options {
    get maxJobs() {
      return 3
    }
  }
  expect(checkOptions('store', new Options(), table).maxJobs).toBe(3)
  expect(() => checkOptions('store', { ['__proto__']: 1 }, table)).toThrow(
    'store: __proto__ is not an option; the options are',
  )
})

test('the name that was meant differs in case, in separators, in few letters or is longer', () => {
  const names = ['baseUrl', 'token', 'models', 'retentionDays', 'id', 'fetch', 'fetchFile']
  const meant = [
    'baseURL',
    'base_url',
    'BASE-URL',
    'tokens',
    'model',
    'retention',
    'ids',
    'fecth',
    'fetchfile',
  ]
  expect(meant.map((name) => nearestName(name, names))).toEqual([
    'baseUrl',
    'baseUrl',
    'baseUrl',
    'token',
    'models',
    'retentionDays',
    'id',
    'fetch',
    'fetchFile',
  ])
  for (const name of ['apiKey', 'x', 'redis', '', 'toString'])
    expect(nearestName(name, names)).toBeUndefined()
})

test('an object of the wrong kind, a function that makes one and a promise of one are told apart', () => {
  const log = contract<{ warn(): void }>('a log such as console', ['warn'])
  expect(log('log', console)).toBe(console)
  expect(() => log('log', {})).toThrow('log must be a log such as console: its warn is not a function.')
  expect(() => log('log', 'console')).toThrow('log must be a log such as console, not a text.')
  expect(() => log('log', function pino() {})).toThrow('not a function. If it makes one, call it: pino().')
  expect(() => log('log', Promise.resolve(console))).toThrow('not a promise: await it.')
})
