import { test } from 'vitest'
import { checkRandomLives } from './job-life-checks.ts'

test(
  'jobs end, are paid for at most once and are not lost once paid for, in 500 random lives of two processes',
  () => checkRandomLives(500),
  900_000,
)
