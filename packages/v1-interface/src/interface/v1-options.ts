import { checkBaseUrl, checkCount, checkDuration } from '@genmount/core'
import type { V1Request } from './v1-request.ts'

/** Whom a token stands for. */
export interface Identity {
  /** Owns the jobs made with the token; nobody else can see them. */
  readonly owner: string
  /**
   * Names the key that the token is, 1 to 256 characters, and is not the key itself: its id in your store, or a short hash.
   * Needed where `isKeyValid` is given.
   */
  readonly keyId?: string | undefined
}

/**
 * Tells whom a bearer token stands for: `null` or `undefined` for nobody (401). It may refuse the request for another
 * reason by throwing a `GenerationError`, for example `rate_limit_exceeded`.
 */
export type Authenticate = (
  token: string,
  request: V1Request,
) => Identity | null | undefined | Promise<Identity | null | undefined>

/** The options of the /v1 interface, the same on every host. */
export interface V1Options {
  /** Asked for every request below /v1 but those for signed outputs. `apiKeys` is the ready-made one. */
  readonly authenticate: Authenticate
  /**
   * Lets a link to an output end with the key that it was made with: each time somebody opens such a link it is asked
   * whether the key still counts, and the link is a 404 if not. Downloads under way go on, and so do links of a file
   * store or a provider of their own. @default links end after an hour, whatever becomes of the key
   * @example const authenticate = apiKeys(keys); const options = { authenticate, isKeyValid: authenticate.isKeyValid }
   */
  readonly isKeyValid?: ((keyId: string) => boolean | Promise<boolean>) | undefined
  /**
   * The address under which clients reach the place where the interface is mounted, such as
   * `https://example.org/media`. @default what the request says: scheme, `Host` and mount path
   */
  readonly baseUrl?: string | undefined
  /**
   * Believe `X-Forwarded-Proto`, `-Host` and `-Prefix` (the first value of each). Only for hosts that nobody reaches
   * but through a proxy which sets or removes all three. @default false
   */
  readonly trustProxy?: boolean | undefined
  /** The largest request body, in bytes. @default 20971520 (20 MiB) */
  readonly maxBodyBytes?: number | undefined
  /**
   * How many bytes the bodies of all creates under way may hold together, until their jobs are stored; a request for which
   * there is no room is refused with 503 `capacity_exceeded`. Beyond `maxBodyBytes`, the bodies of one owner hold no more than
   * they leave to all others: a request of that owner alone is refused. At least `maxBodyBytes`. Callbacks, which bear no key,
   * have 16 MiB of their own. @default 268435456 (256 MiB), or `maxBodyBytes` if that is more
   */
  readonly maxBodiesBytes?: number | undefined
  /**
   * How many keys and values the JSON of a body may have, counted before it is parsed; one with more is refused with 400.
   * @default 10000
   */
  readonly maxJsonValues?: number | undefined
  /**
   * How long a client may take to send a body, in milliseconds. A body of which less than 1,000 bytes have come within 10
   * seconds is given up before. @default 30000
   */
  readonly bodyTimeoutMs?: number | undefined
  /**
   * How many outputs of the file store may be downloaded at a time, each of which may hold a file open; one more is refused
   * with 503 `capacity_exceeded`. @default 1000
   */
  readonly maxDownloads?: number | undefined
  /**
   * How many of them may be files of one owner, whoever downloads them. At most `maxDownloads`.
   * @default a quarter of `maxDownloads`
   */
  readonly maxDownloadsPerOwner?: number | undefined
  /**
   * Encrypts the links to outputs: text of at least 32 characters, or at least 32 bytes. Processes that serve the same
   * jobs need the same one. @default random, so that links end with the process
   */
  readonly linkSecret?: string | Uint8Array | undefined
}

/** `V1Options` for hosts that can't know by themselves where the interface is mounted. */
export interface MountedV1Options extends V1Options {
  /** The path above `/v1`, such as `/media` for `/media/v1/generate`. @default '' */
  readonly mountPath?: string | undefined
}

/** The options with every default in its place. */
export interface CheckedOptions {
  readonly authenticate: Authenticate
  readonly isKeyValid: V1Options['isKeyValid']
  readonly baseUrl: string | undefined
  readonly trustProxy: boolean
  readonly maxBodyBytes: number
  readonly maxBodiesBytes: number
  readonly maxJsonValues: number
  readonly bodyTimeoutMs: number
  readonly maxDownloads: number
  readonly maxDownloadsPerOwner: number
  readonly linkSecret: string | Uint8Array | undefined
}

/** @throws TypeError that names the option and what it accepts */
export function checkOptions(options: V1Options): CheckedOptions {
  const {
    authenticate,
    isKeyValid,
    trustProxy = false,
    maxBodyBytes = 20 * 1024 * 1024,
    maxBodiesBytes = Math.max(256 * 1024 * 1024, maxBodyBytes),
    maxJsonValues = 10_000,
    bodyTimeoutMs = 30_000,
    maxDownloads = 1000,
    maxDownloadsPerOwner = Math.ceil(maxDownloads / 4),
    linkSecret,
  } = options
  if (typeof authenticate !== 'function')
    throw new TypeError('authenticate must be a function, such as apiKeys({ owner: key }).')
  if (isKeyValid !== undefined && typeof isKeyValid !== 'function')
    throw new TypeError('isKeyValid must be a function, such as that of apiKeys({ owner: key }).')
  if (typeof trustProxy !== 'boolean') throw new TypeError('trustProxy must be true or false.')
  checkCount('maxBodyBytes', maxBodyBytes)
  checkCount('maxBodiesBytes', maxBodiesBytes, maxBodyBytes)
  checkCount('maxJsonValues', maxJsonValues)
  checkDuration('bodyTimeoutMs', bodyTimeoutMs)
  checkCount('maxDownloads', maxDownloads)
  checkCount('maxDownloadsPerOwner', maxDownloadsPerOwner, 1, maxDownloads)
  if (linkSecret !== undefined && !isSecret(linkSecret)) {
    throw new TypeError(
      'linkSecret must be text of at least 32 characters or a Uint8Array of at least 32 bytes.',
    )
  }
  return {
    authenticate,
    isKeyValid,
    baseUrl: options.baseUrl === undefined ? undefined : checkBaseUrl('baseUrl', options.baseUrl),
    trustProxy,
    maxBodyBytes,
    maxBodiesBytes,
    maxJsonValues,
    bodyTimeoutMs,
    maxDownloads,
    maxDownloadsPerOwner,
    linkSecret,
  }
}

/** @throws TypeError unless it is `''` or a plain path without a slash at its end */
export function checkMountPath(mountPath = ''): string {
  const isPlain =
    /^(?:\/[^/]+)*$/.test(mountPath) && URL.parse(`http://host${mountPath}/`)?.pathname === `${mountPath}/`
  if (isPlain) return mountPath
  throw new TypeError("mountPath must be '' or a path such as '/media', without a slash at its end.")
}

function isSecret(secret: unknown): boolean {
  return (typeof secret === 'string' || secret instanceof Uint8Array) && secret.length >= 32
}
