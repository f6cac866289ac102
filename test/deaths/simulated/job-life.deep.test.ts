import { describe, test } from 'vitest'
import { checkLife, checkRandomLives } from './job-life-checks.ts'
import { examples } from './job-life-examples.ts'
import { databases } from './paid-job-test.ts'

describe.each(databases)('with jobs in %s, a paid job is not lost after', (_name, openStore) => {
  test.concurrent.for(Object.entries(examples))('%s', ([_name, [commands, offers, exception]]) =>
    checkLife({ commands, offers, openStore, isDelivered: exception === undefined }),
  )
})

test(
  'jobs end, are paid for at most once and are not lost once paid for, in 500 random lives of two processes',
  () => checkRandomLives(500),
  900_000,
)
