import { expect, test } from 'vitest'
import { boundedServer } from './bounded-server.ts'

test('the server of genmount serve limits connections, the time for headers, and the time for a request', () => {
  const { maxConnections, headersTimeout, requestTimeout } = boundedServer(() => {})
  expect({ maxConnections, headersTimeout, requestTimeout }).toEqual({
    maxConnections: 15_000,
    headersTimeout: 10_000,
    requestTimeout: 300_000,
  })
})
