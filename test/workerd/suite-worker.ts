import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'

let handler: ((request: Request) => Promise<Response>) | undefined

/** With the first request, because the fake vendor makes a random secret, and workers make nothing random before it. */
function makeHandler() {
  const { service, options, keys } = httpSuiteService()
  return toFetchHandler(service, { ...options, authenticate: apiKeys(keys) })
}

export default { fetch: (request: Request) => (handler ??= makeHandler())(request) }
