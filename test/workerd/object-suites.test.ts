import { afterAll, describe, expect, test } from 'vitest'
import { bundledWorker } from './bundled-worker.ts'

const worker = await bundledWorker('object-suites-worker', {
  // The suites compare with node:assert.
  compatibilityFlags: ['nodejs_compat'],
  durableObjects: { OBJECTS: { className: 'SuiteObject', useSQLite: true } },
})
afterAll(() => worker.dispose())

const base = 'https://suites.example.com/'
const suites = (await (await worker.dispatchFetch(base)).json()) as [suite: string, cases: string[]][]

describe.each(suites)('%s', (suite, cases) => {
  test.each(cases)('%s', async (name) => {
    const run = await worker.dispatchFetch(`${base}?${new URLSearchParams({ suite, case: name })}`)
    expect(await run.text()).toBe('passed')
  })
})
