import { test } from 'vitest'
import { raceForOneFile } from './race-for-one-file.ts'

test.each([1, 2, 3, 4, 5])(
  'three processes that make one file at once agree on who holds an idempotency key and whose write counts (round %i)',
  () => raceForOneFile(),
)
