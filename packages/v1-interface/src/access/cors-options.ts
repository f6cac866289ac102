/** Which pages of other origins may use the interface in a browser. */
export interface CorsOptions {
  /**
   * The origins of these pages as a browser writes them in the `Origin` header, such as `https://app.example`
   * or `http://localhost:5173`: no slash at the end, no path, no wildcard. `'*'` lets the pages of every
   * origin in, and is refused together with `credentials: 'any'`.
   */
  readonly origins: readonly string[] | '*'
  /**
   * The names of headers that your app or proxy adds to the replies and that the pages may read. They may
   * always read the headers that the interface itself sends. @default none
   */
  readonly exposedHeaders?: readonly string[] | undefined
}

/**
 * Checks the option `cors`.
 * @returns the same value
 * @throws TypeError that names the wrong part and says what it accepts
 */
export function checkCors(
  cors: CorsOptions | undefined,
  credentials?: 'bearer' | 'any',
): CorsOptions | undefined {
  if (cors === undefined) return cors
  const isObject = typeof cors === 'object' && cors !== null && !Array.isArray(cors)
  if (!isObject) throw new TypeError("cors must be an object such as { origins: ['https://app.example'] }.")
  const { origins, exposedHeaders = [] } = cors
  if (origins !== '*' && !(Array.isArray(origins) && origins.length > 0)) {
    throw new TypeError(
      "cors.origins must be a list of origins such as ['https://app.example'], or '*' alone.",
    )
  }
  if (origins === '*' && credentials === 'any') {
    throw new TypeError(
      "cors.origins must list origins when credentials is 'any': '*' would let every site act for its visitors.",
    )
  }
  const wrong = origins === '*' ? undefined : origins.find((origin: unknown) => !isOrigin(origin))
  if (wrong !== undefined) {
    throw new TypeError(
      `cors.origins must list origins as browsers write them, such as https://app.example, not ${String(wrong)}.`,
    )
  }
  if (!Array.isArray(exposedHeaders) || !exposedHeaders.every(isHeaderName))
    throw new TypeError(
      "cors.exposedHeaders must be a list of header names such as ['x-ratelimit-remaining'].",
    )
  return cors
}

function isOrigin(origin: unknown): boolean {
  if (typeof origin !== 'string' || origin.includes('*')) return false
  if (/^https?:/.test(origin)) return URL.parse(origin)?.origin === origin
  // Pages of browser extensions and of apps with a web view have schemes for which URL knows no origin.
  return /^[a-z][a-z\d+.-]*:\/\/[a-z\d.-]+(?::\d+)?$/.test(origin)
}

function isHeaderName(name: unknown): boolean {
  return typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name)
}
