import { DurableObject } from 'cloudflare:workers'
import { durableObjectBackend } from '@genmount/backend-cloudflare/durable-object'
import { r2Files, type R2BucketBinding } from '@genmount/backend-cloudflare/r2'
import { advance } from '@genmount/core/advance'
import { createGenerationService } from '@genmount/core/service'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { myProvider } from './my-provider.ts'

interface Env {
  readonly MEDIA: DurableObjectNamespace<MediaObject>
  readonly OUTPUTS: R2BucketBinding
  readonly KEY_OF_ALICE: string
  readonly KEY_OF_BOB: string
  readonly LINK_SECRET: string
}

/** The service of one owner, whose clients use https://<host>/<owner>/v1. */
export class MediaObject extends DurableObject<Env> {
  readonly #backend = durableObjectBackend({ storage: this.ctx.storage })
  readonly #service = createGenerationService({
    providers: [myProvider()],
    backend: this.#backend,
    files: r2Files({ bucket: this.env.OUTPUTS }),
    plugins: [advance()],
  })
  #handle: ((request: Request) => Promise<Response>) | undefined

  fetch(request: Request): Promise<Response> {
    this.#handle ??= this.#handlerOf(ownerIn(request))
    return this.#handle(request)
  }

  alarm(info?: { readonly retryCount: number }): Promise<void> {
    return this.#backend.alarm(this.#service, info)
  }

  #handlerOf(owner: string) {
    const { KEY_OF_ALICE, KEY_OF_BOB, LINK_SECRET } = this.env
    const keys = apiKeys({ alice: KEY_OF_ALICE, bob: KEY_OF_BOB })
    return toFetchHandler(this.#service, {
      authenticate(key) {
        const identity = keys(key)
        return identity?.owner === owner ? identity : null
      },
      mountPath: `/${owner}`,
      linkSecret: LINK_SECRET,
      // A row of an object has 2 MB.
      maxBodyBytes: 1_900_000,
    })
  }
}

/** The links to files have no key, so the path says whose object has them. */
function ownerIn(request: Request): string {
  return new URL(request.url).pathname.split('/')[1] ?? ''
}

export default {
  fetch(request: Request, env: Env): Promise<Response> | Response {
    const owner = ownerIn(request)
    // Each name makes an object, so only those of owners are let through.
    if (!['alice', 'bob'].includes(owner)) return new Response('Not found', { status: 404 })
    return env.MEDIA.getByName(owner).fetch(request)
  },
}
