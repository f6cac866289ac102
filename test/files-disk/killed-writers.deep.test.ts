import { test } from 'vitest'
import { killWriters } from './killed-writer.ts'

test('each of 20 processes that are killed at any moment leaves the version that it has reported last, or the next one, whole', () =>
  killWriters(20))
