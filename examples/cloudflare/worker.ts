import { DurableObject } from 'cloudflare:workers'
import { durableObjectBackend } from '@genmount/backend-cloudflare/durable-object'
import { r2Files, type R2BucketBinding } from '@genmount/backend-cloudflare/r2'
import { GenerationError } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { createGenerationService } from '@genmount/core/service'
import { uploads } from '@genmount/core/uploads'
import { apiKeys, type ApiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toPlaygroundHandler } from '@genmount/playground'
import { bearerToken, errorReply, refusalOf } from '@genmount/v1-interface'
import { sunsetProvider } from './sunset-provider.ts'

interface Env {
  readonly MEDIA: DurableObjectNamespace<MediaObject>
  readonly OUTPUTS: R2BucketBinding
  /** The owners and their keys: `alice:s3cret,bob:t0ps3cret`. */
  readonly API_KEYS: string
  /** Encrypts the links to files: at least 32 characters. */
  readonly LINK_SECRET: string
}

/** The service of one owner. Its jobs are in the SQLite of the object, and its files in R2. */
export class MediaObject extends DurableObject<Env> {
  readonly #backend = durableObjectBackend({ storage: this.ctx.storage })
  readonly #service = createGenerationService({
    providers: [sunsetProvider()],
    backend: this.#backend,
    files: r2Files({ bucket: this.env.OUTPUTS }),
    plugins: [advance(), uploads()],
  })
  #handle: ((request: Request) => Promise<Response>) | undefined

  fetch(request: Request): Promise<Response> {
    this.#handle ??= this.#handlerOf(ownerInPath(new URL(request.url)) ?? '')
    return this.#handle(request)
  }

  alarm(info?: { readonly retryCount: number }): Promise<void> {
    return this.#backend.alarm(this.#service, info)
  }

  #handlerOf(owner: string) {
    const keys = keysOf(this.env)
    return toFetchHandler(this.#service, {
      authenticate(key) {
        const identity = keys(key)
        return identity?.owner === owner ? identity : null
      },
      mountPath: `/owners/${owner}`,
      linkSecret: this.env.LINK_SECRET,
      // A row of an object has 2 MB.
      maxBodyBytes: 1_900_000,
    })
  }
}

const page = toPlaygroundHandler()

export default {
  fetch(request: Request, env: Env): Promise<Response> | Response {
    const url = new URL(request.url)
    if (url.pathname === '/') return page(request)
    const owner = ownerInPath(url)
    if (owner === undefined) return passedByKey(request, env)
    // Each name makes an object, so only those of owners are let through.
    if (!ownersIn(env).some(([name]) => name === owner)) return new Response('Not found', { status: 404 })
    return env.MEDIA.getByName(owner).fetch(request)
  },
}

/** Clients use `/v1` and say by their key who they are. The answers name the object in the path, because links have no key. */
function passedByKey(request: Request, env: Env): Promise<Response> | Response {
  const bearer = bearerToken(request.headers.get('authorization') ?? undefined)
  const identity = typeof bearer === 'object' ? keysOf(env)(bearer.token) : undefined
  if (!identity) return refused(bearer === 'missing')
  const url = new URL(request.url)
  url.pathname = `/owners/${identity.owner}${url.pathname}`
  return env.MEDIA.getByName(identity.owner).fetch(new Request(url, request))
}

function refused(hasNoKey: boolean): Response {
  const error = hasNoKey
    ? new GenerationError('missing_api_key', 'Send your key as "Authorization: Bearer <key>".')
    : new GenerationError('invalid_api_key', 'This is not a key of this service.')
  const { status, headers, body } = errorReply(refusalOf(error).refusal)
  return new Response(body as string, { status, headers })
}

function ownerInPath({ pathname }: URL): string | undefined {
  return /^\/owners\/([\w-]+)\//.exec(pathname)?.[1]
}

let keys: ApiKeys | undefined

/** The keys of this isolate, which are hashed once. */
function keysOf(env: Env): ApiKeys {
  return (keys ??= apiKeys(Object.fromEntries(ownersIn(env))))
}

function ownersIn({ API_KEYS }: Env): [owner: string, key: string][] {
  return API_KEYS.split(',').map((entry) => {
    const [, owner, key] = /^([\w-]+):(.+)$/.exec(entry.trim()) ?? []
    // Without the entry, because it may contain a key.
    if (owner === undefined || key === undefined)
      throw new TypeError(
        'API_KEYS must be a list of owners and their keys, such as alice:s3cret,bob:t0ps3cret.',
      )
    return [owner, key]
  })
}
