import { test } from 'vitest'
import { checkBesideFrozenWriter } from './frozen-writer.ts'

test('creates are stored while a process that writes to the same file all the time is frozen 100 times', () =>
  checkBesideFrozenWriter(100))
