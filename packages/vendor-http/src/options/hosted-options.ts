/** What is to be said of every vendor with an account. */
export interface HostedOptions<Model> {
  /** The API key. It goes to the origin of `baseUrl` alone, and is shown and logged nowhere. */
  readonly token: string
  /** The models on offer by their public ids, which clients name. */
  readonly models: Readonly<Record<string, Model>>
  /** Where the API is, or a proxy in front of it. @default the vendor's own */
  readonly baseUrl?: string | undefined
  /** @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Sent with every request to the API, beside the token. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** @throws TypeError when it is none, or more than a token: `Bearer abc` for example */
export function checkToken(token: unknown): string {
  if (typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)) return token
  throw new TypeError('token must be an API key: a text without spaces that is not empty.')
}
