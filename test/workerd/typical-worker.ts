import { r2Files, type R2BucketBinding } from '@genmount/backend-cloudflare/r2'
import { advance } from '@genmount/core/advance'
import { createGenerationService } from '@genmount/core/service'
import { memoryBackend } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { guardedFetch } from '@genmount/guarded-fetch'
import { replicateProvider } from '@genmount/provider-replicate'

interface Env {
  readonly OUTPUTS: R2BucketBinding
  readonly KEY_OF_ALICE: string
  readonly REPLICATE_TOKEN: string
}

let handle: ((request: Request) => Promise<Response>) | undefined

/** A worker with one provider, and files in R2, into which it copies outputs. */
export default {
  fetch(request: Request, env: Env): Promise<Response> {
    handle ??= toFetchHandler(
      createGenerationService({
        providers: [
          replicateProvider({
            token: env.REPLICATE_TOKEN,
            models: { flux: { model: 'black-forest-labs/flux-schnell', outputKind: 'image' } },
          }),
        ],
        backend: memoryBackend(),
        files: r2Files({ bucket: env.OUTPUTS, fetch: guardedFetch }),
        plugins: [advance()],
      }),
      { authenticate: apiKeys({ alice: env.KEY_OF_ALICE }) },
    )
    return handle(request)
  },
}
