import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'
import { openapiDocument } from '@genmount/v1-interface/openapi'

let handler: ((request: Request) => Promise<Response>) | undefined

/** Called at the first request: the fake vendor makes a random secret, and workers make no random numbers before a request. */
function makeHandler() {
  const { service, options, keys } = httpSuiteService()
  return toFetchHandler(service, {
    ...options,
    authenticate: apiKeys(keys),
    openapi: openapiDocument(),
  })
}

export default { fetch: (request: Request) => (handler ??= makeHandler())(request) }
