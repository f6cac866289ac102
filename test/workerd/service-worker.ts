import { createGenerationService, type Provider } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import * as v from 'valibot'

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4])

/** Takes the task on, and has finished it when it is first asked. */
const provider: Provider = {
  name: 'inline',
  models: [{ id: 'inline-image', outputKind: 'image', input: v.strictObject({ prompt: v.string() }) }],
  submit: async () => ({ state: 'running', handle: 'task', pollAfterMs: 50 }),
  poll: async () => ({ state: 'succeeded', outputs: [{ bytes: png }], costUsd: 0.01 }),
}

const service = createGenerationService({ providers: [provider] })

const handle = toFetchHandler(service, { authenticate: apiKeys({ alice: 'key-of-alice' }) })
const handleMcp = toMcpHandler(handle)

export default {
  fetch: (request: Request) =>
    new URL(request.url).pathname.startsWith('/v1/') ? handle(request) : handleMcp(request),
}
