import { toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'
import { suiteOptions } from '../hosts/suite-options.ts'

let handler: ((request: Request) => Promise<Response>) | undefined

/** Called at the first request: the fake vendor makes a random secret, and workers make no random numbers before a request. */
function makeHandler() {
  const suite = httpSuiteService()
  return toFetchHandler(suite.service, suiteOptions(suite))
}

export default { fetch: (request: Request) => (handler ??= makeHandler())(request) }
