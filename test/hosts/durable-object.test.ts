import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bothSuites, everyCase } from './test-hosts.ts'
import type { RunningHost } from './hosts.ts'
import { durableObjectHost } from './workerd-host.ts'

/**
 * Cases whose requests no client sends, and workerd's own HTTP server does not understand: it answers most of them with a 500 or a
 * 501 before a Worker hears of them. On Cloudflare its network is in front, and speaks HTTP itself.
 */
const beyondWorkerd = [
  'a chunked body is read, in pieces of any size, with extensions and trailers',
  'a request whose length is ambiguous is refused, or read in the one safe way',
  'a method that HTTP does not know, or in small letters, is refused',
  'encoded slashes do not lead to a job',
  'a request line in absolute form finds the job or nothing, and puts no other host into our URLs',
  'a request line in absolute form creates jobs and redirects like any other, or finds nothing',
  'an absolute form that is no URL is refused or found nowhere',
  'an absolute form without a key is 401, or finds nothing',
  'a Host header that is no host name, or comes twice, never becomes part of a URL',
  'a request that is nonsense does not stop the server',
]

describe.concurrent('a service in a Durable Object, with its files in R2', () => {
  let running: RunningHost
  let suite: ReturnType<typeof bothSuites>

  beforeAll(async () => {
    running = await durableObjectHost.start()
    suite = bothSuites(running.subject)
  })
  afterAll(() => running?.stop())

  test.each(everyCase.filter((promise) => !beyondWorkerd.includes(promise)))('%s', (promise) =>
    suite[promise]!(),
  )
})

test('the cases that are left out are cases of the HTTP suite', () => {
  expect(beyondWorkerd.filter((promise) => !everyCase.includes(promise))).toEqual([])
})
