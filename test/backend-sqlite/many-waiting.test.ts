import { test } from 'vitest'
import { serveManyWaiting } from './serve-many-waiting.ts'

test('of 2,000 jobs that wait for a provider in trouble, a service submits fewer than 500 in two seconds', async () => {
  await serveManyWaiting(2_000, 1_000)
})
