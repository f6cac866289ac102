import { test } from 'vitest'
import { expectPromisesKept, startedHosts } from './expect-promises-kept.ts'

const servers = startedHosts('all')

test.concurrent.each(['bun', 'deno'] as const)(
  'the client on %s keeps its promises at every host',
  (runtime) => expectPromisesKept(runtime, servers),
)

test('the client in Chromium keeps its promises at every host', { tags: ['needs/chromium'] }, () =>
  expectPromisesKept('chromium', servers),
)
