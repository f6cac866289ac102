import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'

declare const Bun: {
  serve(options: { fetch: (request: Request) => Promise<Response>; hostname: string; port: number }): {
    port: number
  }
}

const { service, options, keys } = httpSuiteService()
const fetch = toFetchHandler(service, { ...options, authenticate: apiKeys(keys) })
const { port } = Bun.serve({ fetch, hostname: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ port, keys }))
