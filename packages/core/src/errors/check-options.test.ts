import { expect, test } from 'vitest'
import { count, optional, contract } from './check-option.ts'
import { checkOptions, nearestName } from './check-options.ts'

const table = { maxJobs: optional(count(), 10), 'max-age': optional(count()) }

test('options that are left out get their defaults, also when the whole object is left out', () => {
  for (const options of [undefined, {}, { maxJobs: undefined }])
    expect(checkOptions('store', options, table)).toEqual({ maxJobs: 10, 'max-age': undefined })
})

test('the error about an option names its factory and its path', () => {
  expect(() => checkOptions('store', { maxJobs: 0 }, table)).toThrow(/^store: maxJobs must be/)
  expect(() => checkOptions('store: parts[0]', { maxJobs: 0 }, table)).toThrow(
    /^store: parts\[0\]\.maxJobs must be/,
  )
  expect(() => checkOptions('store: parts', { 'max-age': 0 }, table)).toThrow(
    /^store: parts\['max-age'\] must be/,
  )
})

test.each([null, 'jobs.db', 5, [], new Map(), () => {}])(
  '%o in place of an options object throws a TypeError',
  (options) => {
    expect(() => checkOptions('store', options, table)).toThrow(/^store: the options must be an object, not /)
  },
)

test('options that an object inherits from its prototype count', () => {
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

test('an unknown option suggests a name that differs in case, separators, a few letters or length', () => {
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

test('the error tells a wrong object, a factory that was not called, and a promise that was not awaited apart', () => {
  const log = contract<{ warn(): void }>('a log such as console', ['warn'])
  expect(log('log', console)).toBe(console)
  expect(() => log('log', {})).toThrow('log must be a log such as console: its warn is not a function.')
  expect(() => log('log', 'console')).toThrow('log must be a log such as console, not a text.')
  expect(() => log('log', function pino() {})).toThrow('not a function. If it makes one, call it: pino().')
  expect(() => log('log', Promise.resolve(console))).toThrow('not a promise: await it.')
})
