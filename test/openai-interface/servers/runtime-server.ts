/** Serves the fetch handler with the interface on Bun or Deno. */
import { toFetchHandler } from '@genmount/fetch-handler'
import { serveOnRuntime } from '../../processes/serve-on-runtime.ts'
import { hostedService } from './hosted-service.ts'

const { service, options } = hostedService()
serveOnRuntime(toFetchHandler(service, options))
