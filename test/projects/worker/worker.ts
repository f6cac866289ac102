import { createGenerationService, type Provider } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import * as v from 'valibot'

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4])

/** A fake of a hosted provider: its images finish soon, its films never. */
const provider: Provider = {
  name: 'hosted',
  models: ['image', 'video'].map((kind) => ({
    id: `hosted-${kind}`,
    outputKind: kind === 'image' ? 'image' : 'video',
    input: v.strictObject({ prompt: v.string() }),
  })),
  submit: async ({ model }) => ({ state: 'running', handle: model, pollAfterMs: 50 }),
  poll: async ({ handle }) =>
    handle === 'hosted-image'
      ? { state: 'succeeded', outputs: [{ bytes: png }] }
      : { state: 'running', handle },
}

const service = createGenerationService({ providers: [provider] })

export default { fetch: toFetchHandler(service, { authenticate: apiKeys({ alice: 'key-of-alice' }) }) }
