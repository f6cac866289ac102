/** The options of every provider whose vendor has accounts. */
export interface HostedOptions<Model> {
  /** The API key. It is sent only to the origin of `baseUrl`, and never shown or logged. */
  readonly token: string
  /** The models on offer, by the public ids that clients use. */
  readonly models: Readonly<Record<string, Model>>
  /** The address of the API, or of a proxy in front of it. @default the vendor's */
  readonly baseUrl?: string | undefined
  /** The function that sends requests. @default the runtime's `fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Further headers of every request to the API. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Checks the option `token`.
 * @returns the token
 * @throws TypeError when it is not a text, is empty, or has more than the token in it, such as `Bearer abc`
 */
export function checkToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TypeError(
    'token must be an API key: a text of visible ASCII characters, not empty and without spaces.',
  )
}
