import { createGenerationService, type GenerationServiceOptions, type Provider } from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { uploads } from '@genmount/core/uploads'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { closedInput, field, modelInput } from '@genmount/provider-kit'
import { toMcpHandler, type McpHandlerOptions } from '@genmount/mcp'
import { fakeFile, fakeProvider, quietLog } from '@genmount/testing'
import * as v from 'valibot'

/** The keys of the service's users. */
export const keys = { alice: 'key-of-alice', bob: 'key-of-bob' }

/** Both mounts of the service make links that the other one opens. */
export const linkSecret = 'a secret of at least 32 characters'

/** A model whose pictures cost 0.25 US dollars each, which clients are told. */
export const painter: Provider = {
  name: 'painter',
  models: [
    {
      id: 'painter',
      outputKind: 'image',
      input: modelInput(
        closedInput({
          prompt: field.text('prompt', 4000),
          aspect_ratio: v.optional(field.choice('aspect_ratio', ['1:1', '4:5'])),
          num_outputs: v.optional(field.wholeNumber('num_outputs', 1, 4), 1),
        }),
      ),
      price: { text: '0.25 USD per image', per: 'image', usd: 0.25 },
    },
  ],
  async submit({ input }) {
    const count = Number(input['num_outputs'])
    const outputs = Array.from({ length: count }, () => ({ bytes: fakeFile('image').bytes }))
    return { state: 'succeeded', outputs, costUsd: 0.25 * count }
  },
  poll: () => Promise.reject(new Error('Nothing is polled.')),
}

/** A service with the fake models and `painter`, and an MCP endpoint beside its `/v1`. */
export function mcpService(
  mcpOptions: McpHandlerOptions = {},
  options: Partial<GenerationServiceOptions> = {},
) {
  const provider = fakeProvider()
  const service = createGenerationService({
    providers: [provider, painter],
    plugins: [uploads(), limits({})],
    log: quietLog(),
    ...options,
  })
  const v1 = toFetchHandler(service, { authenticate: apiKeys(keys), linkSecret })
  const mcp = toMcpHandler(v1, mcpOptions)
  const handle = (request: Request) => (new URL(request.url).pathname === '/mcp' ? mcp(request) : v1(request))
  return { service, provider, v1, mcp, handle }
}
