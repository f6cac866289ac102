import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { suitesOfBackend } from '../conformance/suites-of-backend.ts'
import { bundledWorker } from './bundled-worker.ts'
import { migratedD1 } from './migrated-d1.ts'

let worker: Miniflare

beforeAll(async () => {
  // The suites use `node:assert`. The backend uses nothing of Node's.
  worker = await bundledWorker('d1-worker', {
    compatibilityFlags: ['nodejs_compat'],
    d1Databases: ['JOBS', 'EMPTY'],
  })
  await migratedD1(worker, 'JOBS')
})
afterAll(() => worker?.dispose())

const inWorker = () => Promise.reject(new Error('The cases run in the worker.'))

for (const [part, suite] of Object.entries(suitesOfBackend(inWorker, inWorker))) {
  describe(`the ${part} in D1`, () => {
    test.each(Object.keys(suite))('%s', async (name) => {
      const query = new URLSearchParams({ part, case: name })
      const answer = await worker.dispatchFetch(`https://media.example.com/?${query}`)
      expect(await answer.text()).toBe('holds')
    })
  })
}
