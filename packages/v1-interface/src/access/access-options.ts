import type { V1Request } from '../interface/v1-request.ts'

/** The owner of a request. */
export interface Identity {
  /**
   * The name of the owner. It owns the jobs that it creates, and no other owner can see them.
   */
  readonly owner: string
  /**
   * A name for the key, of 1 to 256 characters and no control characters: for example its id in your store, or a short hash.
   * Never the key itself, because it is stored with each job: what is spent is counted by owner and key. Required when the
   * option `isKeyValid` is set. @default none
   */
  readonly keyId?: string | undefined
}

/**
 * Returns the owner of a bearer token. `null` and `undefined` mean that the key is not valid: the client gets 401
 * `invalid_api_key`. To refuse the request for another reason, throw a `GenerationError`, for example with the code
 * `rate_limit_exceeded`. Any other error is logged, and the client gets 500 `internal_error`.
 */
export type Authenticate = (token: string, request: V1Request) => Identified

/** The owner, or `null` or `undefined` when there is none. */
export type Identified = Identity | null | undefined | Promise<Identity | null | undefined>

/** What every host passes to `authenticate` with `credentials: 'any'`. */
export interface AnyHost {
  /** The request as the host knows it, with what the app's middlewares have set on it. */
  readonly request: unknown
}

/** The parts of a request by which `authenticate` finds its owner. */
export type Credentials<Host extends object = AnyHost> = Host & {
  /** The bearer token. `undefined` when the request has none. */
  readonly token: string | undefined
}

/** Who may use the interface. */
export type AccessOptions<Host extends object> = BearerAccess | AnyAccess<Host>

/** Each request must have a bearer token. This is the default. */
export interface BearerAccess {
  /** Only a bearer token identifies the owner. A request without a token is refused with 401. */
  readonly credentials?: 'bearer' | undefined
  /**
   * Checks the key of every request below /v1, except downloads by signed link and callbacks of providers. `apiKeys`
   * makes such a function.
   */
  readonly authenticate: Authenticate
}

/** The app identifies the owner by any part of the request, such as the cookie of a session. */
export interface AnyAccess<Host extends object> {
  /**
   * `authenticate` is called for every request, with or without a bearer token. Browsers send cookies by themselves,
   * even with requests of foreign pages. So a request other than GET, HEAD and OPTIONS that a page of another origin
   * has sent is refused with 403 `origin_not_allowed`, unless the option `cors` lists its origin.
   */
  readonly credentials: 'any'
  /**
   * Returns the owner of a request. It gets the bearer token, if there is one, and the request of the host. It returns
   * the same as {@link Authenticate}; for a request without a token, `null` means 401 `missing_api_key`.
   * @example ({ request }) => request.session.userId ? { owner: request.session.userId } : null
   */
  readonly authenticate: (credentials: Credentials<Host>) => Identified
}

/** {@link AccessOptions} in the form in which the routes use them. */
export interface CheckedAccess {
  readonly credentials: 'bearer' | 'any'
  /** Calls the `authenticate` of the app. The token is `undefined` only with the credentials `'any'`. */
  readonly authenticate: (token: string | undefined, request: V1Request) => Identified
}

/** Converts the checked options to the form in which the routes use them. */
export function accessOf({ credentials = 'bearer', authenticate }: AccessOptions<never>): CheckedAccess {
  if (credentials !== 'any') {
    return { credentials, authenticate: authenticate as CheckedAccess['authenticate'] }
  }
  const identify = authenticate as AnyAccess<never>['authenticate']
  return {
    credentials,
    // The adapter for the host has made `fromHost`, and its type parameter says what `authenticate` takes.
    authenticate: (token, { fromHost }) => identify({ ...fromHost, token } as never),
  }
}
