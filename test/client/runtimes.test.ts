import { test } from 'vitest'
import { expectPromisesKept, startedHosts } from './expect-promises-kept.ts'

const servers = startedHosts('brief')

test.concurrent('the client on Node keeps its promises at every kind of host', () =>
  expectPromisesKept('node', servers))

// `runtimes.deep.test.ts` has every host, on Bun, Deno and in Chromium.
test.concurrent.each(['bun', 'deno'] as const)(
  'the client on %s keeps its promises at a server on node:http',
  (runtime) => expectPromisesKept(runtime, servers.slice(0, 1)),
)

test('the client in Chromium keeps its promises at a server on node:http', { tags: ['needs/chromium'] }, () =>
  expectPromisesKept('chromium', servers.slice(0, 1)),
)
