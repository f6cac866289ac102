import { test } from 'vitest'
import { checkRandomRoutes } from './routed-jobs-checks.ts'

test('jobs with three routes end and are paid for at most once, with 15 random faults of providers and deaths of processes', () =>
  checkRandomRoutes(15))
