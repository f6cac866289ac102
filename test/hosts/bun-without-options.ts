/** Serves a job that tells nothing while it runs on Bun's server, which no option keeps from closing idle connections. */
import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { fakeProvider, quietLog } from '@genmount/testing'

const service = createGenerationService({ providers: [fakeProvider()], log: quietLog() })
const fetch = toFetchHandler(service, { authenticate: apiKeys({ alice: 'alice-key-of-16-bytes' }) })
const { Bun } = globalThis as unknown as { Bun: { serve(options: object): { port: number } } }
const { port } = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch })
console.log(JSON.stringify({ port }))
