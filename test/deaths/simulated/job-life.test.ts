import { describe, test } from 'vitest'
import { checkLife, checkRandomLives } from './job-life-checks.ts'
import { examples } from './job-life-examples.ts'

describe.each([
  ['knows', true],
  ['does not know', false],
])('with a backend that %s which processes have ended, a paid job is not lost after', (_knows, knowsEnds) => {
  test.concurrent.for(Object.entries(examples))('%s', ([_name, [commands, offers, exception]]) =>
    checkLife({ commands, offers: { ...offers, knowsEnds }, isDelivered: exception === undefined }),
  )
})

test('jobs end, are paid for at most once and are not lost once paid for, in 20 random lives of two processes', () =>
  checkRandomLives(20))
