import { fileStoreSuite } from '@genmount/testing'
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledWorker } from './bundled-worker.ts'

let worker: Miniflare

beforeAll(async () => {
  // The suite asserts by node:assert. The store itself is tested without this flag below.
  worker = await bundledWorker('r2-suite-worker', {
    compatibilityFlags: ['nodejs_compat'],
    r2Buckets: ['BUCKET'],
  })
})
afterAll(() => worker?.dispose())

const titles = Object.keys(
  fileStoreSuite(() => {
    throw new Error('Only the titles are wanted.')
  }),
)

test.each(titles)('r2Files in workerd: %s', async (title) => {
  const answer = await worker.dispatchFetch(`https://suite.test/${encodeURIComponent(title)}`)
  expect(await answer.text()).toBe('holds')
})
