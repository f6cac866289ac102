import { callable, type Check, checkBaseUrl, optional, text } from '@genmount/core'
import { checkHeaders } from './check-headers.ts'
import type { OfferedModels } from './offer-models.ts'

/** The options of every provider whose vendor has accounts. */
export interface HostedOptions<Model> {
  /** The API key. It is sent only to the origin of `baseUrl`, and never shown or logged. */
  readonly token: string
  /** The models on offer: an object by the public ids that clients use, or a list of models that have an `id`. */
  readonly models: OfferedModels<Model>
  /** The address of the API, or of a proxy in front of it. @default the vendor's */
  readonly baseUrl?: string | undefined
  /** The function that sends requests. @default the runtime's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Further headers of every request to the API. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Checks an option that is an API key. @throws TypeError that names the option and does not show the key */
export const checkToken: Check<string> = text(
  'an API key: a text of visible ASCII characters, not empty and without spaces',
  /^[\x21-\x7e]+$/,
)

/** The checks of how requests are sent. */
function requestOptions() {
  return {
    /** Sends the requests. */
    fetch: optional(callable<typeof globalThis.fetch>('globalThis.fetch')),
    /** The headers that each request gets. */
    headers: optional(checkHeaders, {}),
  }
}

/**
 * The checks of the {@link HostedOptions} except `models`, for a server of the operator's own: it has no usual address,
 * and needs no token.
 */
export function serverOptions() {
  return {
    /** The token of the server, if it wants one. */
    token: optional(checkToken),
    /** The address of the server. */
    baseUrl: checkBaseUrl,
    ...requestOptions(),
  }
}

/**
 * The checks of the {@link HostedOptions} except `models`, for the table of a provider's options.
 * @param variable the environment variable in which the vendor's own tools look for the API key. The error message for
 *   a missing token names it
 * @param baseUrl the address of the vendor's API
 * @example const table = { ...hostedOptions('ACME_KEY', 'https://api.acme.example/v1'), models: offerModels(entryOf) }
 */
export function hostedOptions(variable: string, baseUrl: string) {
  return {
    /** The API key of the vendor. */
    token: tokenFrom(variable),
    /** The address of the vendor's API. */
    baseUrl: optional(checkBaseUrl, baseUrl),
    ...requestOptions(),
  }
}

function tokenFrom(variable: string): Check<string> {
  return (name, token) => {
    if (token !== undefined && token !== '') return checkToken(name, token)
    throw new TypeError(`${name} is missing; set ${variable} in the environment and pass its value.`)
  }
}
