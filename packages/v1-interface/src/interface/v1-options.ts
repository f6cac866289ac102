import type { GenerationService } from '@genmount/core'
import type { AccessOptions, AnyHost } from '../access/access-options.ts'
import type { CorsOptions } from '../access/cors-options.ts'
import type { ModelObject } from '../wire/model-object.ts'
import type { FurtherInterface } from './further-interface.ts'

/**
 * The options of the /v1 interface, the same on every host. `Host` is the type of what the host passes to
 * `authenticate` with `credentials: 'any'`.
 */
export type V1Options<Host extends object = AnyHost> = AccessOptions<Host> & V1Settings

/** The options of the /v1 interface that do not depend on who may use it. */
export interface V1Settings {
  /**
   * Makes a link to an output stop working when its key is withdrawn. The service calls this function each time such a
   * link is opened, and answers 404 if the key is no longer valid. It can't end a download that has begun, nor the
   * links that a file store (such as S3) or a provider serves itself.
   * @default none: a link works for up to one hour, even if its key is withdrawn earlier
   * @example const authenticate = apiKeys(keys); const options = { authenticate, isKeyValid: authenticate.isKeyValid }
   */
  readonly isKeyValid?: ((keyId: string) => boolean | Promise<boolean>) | undefined
  /**
   * The address under which clients reach the place where the interface is mounted, such as
   * `https://example.org/media`. @default the scheme, the `Host` header and the mount path of each request
   */
  readonly baseUrl?: string | undefined
  /**
   * Whether to use the headers `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-Prefix` (the first value of
   * each) for the address of the service. This is safe only behind a proxy that sets or removes all three, on a host
   * that clients can't reach without this proxy.
   * @default false
   */
  readonly trustProxy?: boolean | undefined
  /**
   * Lets pages of other origins use the interface in a browser: answers their preflights, without a key, and lets them
   * read replies. Leave it out if a middleware of your app does that for all paths. With `credentials: 'any'` it also
   * says which pages of other origins may send requests that change something.
   * @default only pages of the origin that serves the interface can use it
   * @example { origins: ['https://app.example'] }
   */
  readonly cors?: CorsOptions | undefined
  /**
   * Further interfaces over the same service, on the same mount: clients with other words find the same jobs there.
   * @default none: only /v1
   * @example [openaiInterface()] // of @genmount/openai-interface
   */
  readonly interfaces?: readonly FurtherInterface[] | undefined
  /**
   * Serves the OpenAPI document of the interface, which lists the models and their inputs, at `/v1/openapi.json`.
   * @default none: the path answers 404
   * @example openapiDocument() // of @genmount/v1-interface/openapi
   */
  readonly openapi?: OpenapiDocument | undefined
  /**
   * The largest body of a create, in bytes. Uploads have the limit `maxBytes` of the plugin `uploads`. Callbacks of
   * providers may have at most 4 MiB, or `maxBodyBytes` if that is less.
   * @default 20971520 (20 MiB)
   */
  readonly maxBodyBytes?: number | undefined
  /**
   * How many bytes the bodies of all creates may hold in memory together. A body counts until its job is stored. A
   * request for which there is no room is refused with 503 `capacity_exceeded`. The bodies of one owner may always hold
   * `maxBodyBytes`; above that they may hold at most as many bytes as stay free for all other owners, and a request
   * beyond this share is refused for that owner alone. Must be at least `maxBodyBytes`. Callbacks of providers, which
   * have no key, have a separate limit of 16 MiB.
   * @default 268435456 (256 MiB), a sixteenth of the heap that is free at the start if that is less, or `maxBodyBytes` if
   *   that is more
   */
  readonly maxBodiesBytes?: number | undefined
  /**
   * How many keys and values the JSON of a body may have, counted while the body arrives. A body with more is refused
   * with 400 `invalid_request`. A body is also refused if it has more than 100 times as many bytes outside of its
   * strings: white space, numbers and brackets.
   * @default 10000
   */
  readonly maxJsonValues?: number | undefined
  /**
   * How long a client may take to send a body, in milliseconds; then it gets 408 `request_timeout`. It gets the same
   * answer earlier if less than 1,000 bytes arrive within 10 seconds. For an upload, only the time in which the service
   * waits for the client counts, and the client gets one second more for each 64 KiB that have arrived. At most
   * 2147483647.
   * @default 30000 (30 s)
   */
  readonly bodyTimeoutMs?: number | undefined
  /**
   * How many downloads of outputs from the file store may be open at the same time; each of them may hold a
   * file open. A download beyond the limit is refused with 503 `capacity_exceeded`. @default 1000
   */
  readonly maxDownloads?: number | undefined
  /**
   * How many of these downloads may be of files that belong to the same owner, whichever client downloads them. At most
   * `maxDownloads`.
   * @default a quarter of `maxDownloads`, rounded up
   */
  readonly maxDownloadsPerOwner?: number | undefined
  /**
   * The secret that encrypts the links to outputs: text of at least 32 characters, or at least 32 bytes. All
   * processes that serve the same jobs need the same secret. @default random, so the links stop working when
   * the process ends
   */
  readonly linkSecret?: string | Uint8Array | undefined
}

/** The OpenAPI document of an interface. `openapiDocument` of `@genmount/v1-interface/openapi` makes it. */
export interface OpenapiDocument {
  /** Who may read it: every client with a key, or every client. */
  readonly access: 'authenticated' | 'public'
  /**
   * The fields of the document except `openapi` and `servers`. Called once, when a client first asks for it.
   * @param models the models as `GET /v1/models` shows them
   */
  fields(service: GenerationService, models: readonly ModelObject[]): object
}

/** `V1Options` for hosts that do not know the path under which the interface is mounted, such as node:http. */
export type MountedV1Options<Host extends object = AnyHost> = V1Options<Host> & MountOptions

/** The mount path, for hosts that do not know it. */
export interface MountOptions {
  /**
   * The path in front of `/v1`, without a slash at its end: `/media` for `/media/v1/generate`. @default ''
   */
  readonly mountPath?: string | undefined
}
