import { test } from 'vitest'
import { checkTakeOver } from './take-over.ts'

test('a job in the middle of a step of a killed Postgres node is completed by another node within 10 s', () =>
  checkTakeOver((node) => node.kill(), 10_000))
