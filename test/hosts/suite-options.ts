import type { HttpSuiteService } from '@genmount/testing/http'
import { apiKeys, corsPolicy } from '@genmount/v1-interface'
import { openapiDocument } from '@genmount/v1-interface/openapi'

/** The options of a handler with which a server keeps all promises of the HTTP suite. */
export function suiteOptions({ options, keys, pages }: Pick<HttpSuiteService, 'keys' | 'options' | 'pages'>) {
  return {
    ...options,
    authenticate: apiKeys(keys),
    cors: corsPolicy(pages),
    openapi: openapiDocument(),
  }
}
