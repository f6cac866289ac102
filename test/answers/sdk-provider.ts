import type { Provider } from '@genmount/core'
import { aiSdkProvider } from '@genmount/provider-ai-sdk'
import { media } from './answer-file.ts'
import type { Fetch } from './vendors.ts'

/**
 * A provider of the AI SDK whose models return the answers: what `doGenerate` returns or throws for a picture, and
 * `doStatus` for a film. `{ "$bytes": "png" }` stands for a Uint8Array, and `throws` for an error with these properties.
 */
export function sdkProvider(fetch: Fetch): Provider {
  const answered = async (call: never): Promise<never> => {
    const { throws, ...result } = JSON.parse(await (await fetch('https://sdk.test')).text(), revived)
    if (throws === undefined) return result as never
    // The request that starts a task has its prompt, and the refusal of no other request is certain.
    throw Object.assign(new Error(throws.message), throws.statusCode && { requestBodyValues: call }, throws)
  }
  const shared = { specificationVersion: 'v3', provider: 'acme', modelId: 'painter' }
  return aiSdkProvider({
    fetchFile: async () => ({ body: new Blob([media.mp4]).stream() }),
    models: {
      'ai-sdk-image': { model: { ...shared, maxImagesPerCall: 4, doGenerate: answered }, price: 0.04 },
      'ai-sdk-video': {
        model: {
          ...shared,
          maxVideosPerCall: 1,
          doStart: async () => ({ operation: { id: 'o1' } }),
          doStatus: answered,
        },
        price: 0.4,
      },
    },
  })
}

function revived(_name: string, value: unknown): unknown {
  const { $bytes } = (value ?? {}) as { readonly $bytes?: 'png' | 'mp4' | 'none' }
  if ($bytes === undefined) return value
  return $bytes === 'none' ? new Uint8Array() : media[$bytes]
}
