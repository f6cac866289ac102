import {
  type Check,
  checkObject,
  checkOptions,
  listOf,
  optional,
  type OptionTable,
  text,
} from '@genmount/core'

/** Which pages of other origins may use the interface in a browser. */
export interface CorsOptions {
  /**
   * The origins of these pages as a browser writes them in the `Origin` header, such as `https://app.example` or
   * `http://localhost:5173`: no slash at the end, no path, no wildcard. `'*'` allows the pages of every origin, and is
   * refused together with `credentials: 'any'`.
   */
  readonly origins: readonly string[] | '*'
  /**
   * The names of headers that your app or proxy adds to the replies and that the pages may read. They may
   * always read the headers that the interface itself sends. @default none
   */
  readonly exposedHeaders?: readonly string[] | undefined
}

const corsTable = {
  origins: checkOrigins,
  exposedHeaders: optional(
    listOf(
      "a list of header names such as ['x-ratelimit-remaining']",
      text('a header name', /^[\w!#$%&'*+.^`|~-]+$/),
    ),
  ),
} satisfies OptionTable<CorsOptions>

/** Checks the option `cors`. */
export const checkCors: Check<CorsOptions> = (name, cors) => {
  checkObject(name, cors, " such as { origins: ['https://app.example'] }")
  return checkOptions(name, cors, corsTable)
}

function checkOrigins(name: string, origins: unknown): CorsOptions['origins'] {
  if (origins === '*') return origins
  if (!Array.isArray(origins) || origins.length === 0) {
    throw new TypeError(`${name} must be a list of origins such as ['https://app.example'], or '*' alone.`)
  }
  const wrong = origins.find((origin: unknown) => !isOrigin(origin))
  if (wrong === undefined) return origins
  throw new TypeError(
    `${name} must list origins as browsers write them, such as https://app.example, not ${String(wrong)}.`,
  )
}

function isOrigin(origin: unknown): boolean {
  if (typeof origin !== 'string' || origin.includes('*')) return false
  if (/^https?:/.test(origin)) return URL.parse(origin)?.origin === origin
  // Pages of browser extensions and of apps with a web view have schemes for which URL knows no origin.
  return /^[a-z][a-z\d+.-]*:\/\/[a-z\d.-]+(?::\d+)?$/.test(origin)
}
