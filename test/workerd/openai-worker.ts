import { toFetchHandler } from '@genmount/fetch-handler'
import { hostedService } from '../openai-interface/servers/hosted-service.ts'

let handler: ((request: Request) => Promise<Response>) | undefined

/** Called at the first request: the fake vendor makes a random secret, and workers make no random numbers before a request. */
function makeHandler() {
  const { service, options } = hostedService()
  return toFetchHandler(service, options)
}

export default { fetch: (request: Request) => (handler ??= makeHandler())(request) }
