import { test } from 'vitest'
import { checkTakeOver } from './take-over.ts'

test('a job in the middle of a step of a frozen Postgres node is completed by another node within 40 s', () =>
  checkTakeOver((node) => node.freeze(), 40_000))
