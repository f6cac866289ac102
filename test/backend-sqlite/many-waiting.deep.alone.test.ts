import { expect, test } from 'vitest'
import { serveManyWaiting } from './serve-many-waiting.ts'

/** How long a turn of the event loop may take, in milliseconds. While other processes use the CPUs, every turn does more. */
const longestTurnMs = { idle: 50, busy: 200 }

test('20,000 jobs that wait for a provider in trouble do not block the event loop', async () => {
  const { longestTurn, isBusy } = await serveManyWaiting(20_000, 6_000)
  expect(longestTurn).toBeLessThan(isBusy ? longestTurnMs.busy : longestTurnMs.idle)
})
