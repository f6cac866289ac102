import autocannon from 'autocannon'
import type { Load, LoadResult } from './load.ts'
import { apiKey } from '../workload.ts'

/**
 * A script that puts load on a server if wrk is not installed. Its argument is the load as JSON, and its last
 * line of output is the result.
 */

const { load, connections, seconds } = JSON.parse(process.argv[2] ?? '') as {
  load: Load
  connections: number
  seconds: number
}
const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
const { body } = load
const result = await autocannon({
  url: load.url,
  connections,
  duration: seconds,
  headers,
  requests: load.paths.map((path) => (body === undefined ? { path } : { method: 'POST', path, body })),
})
console.log(
  JSON.stringify({
    requests: result['2xx'] + result.non2xx,
    seconds: result.duration,
    failures: result.non2xx + result.errors + result.timeouts,
  } satisfies LoadResult),
)
