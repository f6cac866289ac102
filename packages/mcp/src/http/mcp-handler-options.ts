import { checkAtLeast, type McpSettings } from '../server/mcp-options.ts'

/** The options of `toMcpHandler`. */
export interface McpHandlerOptions extends McpSettings {
  /**
   * The origins of pages that may use the endpoint in a browser, such as `https://app.example`. Agents send no `Origin`.
   * @default none: a request with an `Origin` gets 403
   */
  readonly origins?: readonly string[] | undefined
  /**
   * Fetches the files that the service has elsewhere, such as in a bucket, so that pictures among them come as image
   * content. What it fetches is an address that a file store or a vendor has given, without any key of ours.
   * @default such files come as links only
   */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * How many sessions are remembered at most, of which each takes some hundred bytes. When all are in use, a key without a
   * session gets 503. Nothing is remembered without `maxCostUsd`. @default 1000
   */
  readonly maxSessions?: number | undefined
  /**
   * After how many milliseconds without a request a session ends. Everything that is done with one key until then is one
   * session, since the protocol has none of its own. @default 3600000, an hour
   */
  readonly sessionIdleMs?: number | undefined
}

/** @throws TypeError that names the wrong option and says what it accepts */
export function checkHandlerOptions(options: McpHandlerOptions) {
  const { origins = [], fetch, maxSessions = 1000, sessionIdleMs = 3_600_000 } = options
  if (!Array.isArray(origins) || !origins.every(isOrigin))
    throw new TypeError("origins must be a list of origins such as ['https://app.example'].")
  if (fetch !== undefined && typeof fetch !== 'function')
    throw new TypeError('fetch must be a function such as globalThis.fetch.')
  checkAtLeast(1, 'maxSessions', maxSessions, 'sessions')
  checkAtLeast(1, 'sessionIdleMs', sessionIdleMs, 'milliseconds')
  return { origins: new Set<string>(origins), maxSessions, sessionIdleMs, fetch }
}

function isOrigin(origin: unknown): boolean {
  return typeof origin === 'string' && /^[a-z][a-z\d+.-]*:\/\/[^/*]+$/.test(origin)
}
