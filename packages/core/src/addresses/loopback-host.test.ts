import { expect, test } from 'vitest'
import { isLoopbackHost } from './loopback-host.ts'

test.each(['localhost', '127.0.0.1', '127.255.255.254', '::1', '[::1]'])('%s is this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(true)
})

test.each([
  'localhost.example',
  'a.localhost',
  '127.0.0.1.example',
  '127.0.0',
  '0.0.0.0',
  '[::]',
  '[::ffff:7f00:1]',
  '',
])('%j is not this machine by its spelling alone', (host) => {
  expect(isLoopbackHost(host)).toBe(false)
})
