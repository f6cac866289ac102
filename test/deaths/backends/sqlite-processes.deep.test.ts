import { test } from 'vitest'
import { checkWhichHaveEnded } from './shared-file.ts'

test('of twenty processes exactly those that were killed have ended, though all have just started', () =>
  checkWhichHaveEnded(20))
