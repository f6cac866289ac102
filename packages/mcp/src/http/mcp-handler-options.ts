import type { McpSettings } from '../server/mcp-options.ts'

/** The options of `toMcpHandler`. */
export interface McpHandlerOptions extends McpSettings {
  /**
   * The origins of pages that may use the endpoint in a browser, such as `https://app.example`. Agents send no `Origin`.
   * @default none: a request with an `Origin` gets 403
   */
  readonly origins?: readonly string[] | undefined
  /**
   * Fetches output files that are outside the service, such as in a bucket, so that pictures arrive as image content.
   * It is called with URLs that a file store or a vendor has given, and sends no key.
   * @default such files come as links only
   */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** @throws TypeError that names the wrong option and says what it accepts */
export function checkHandlerOptions(options: McpHandlerOptions) {
  const { origins = [], fetch } = options
  if (!Array.isArray(origins) || !origins.every(isOrigin))
    throw new TypeError("origins must be a list of origins such as ['https://app.example'].")
  if (fetch !== undefined && typeof fetch !== 'function')
    throw new TypeError('fetch must be a function such as globalThis.fetch.')
  return { origins: new Set<string>(origins), fetch }
}

function isOrigin(origin: unknown): boolean {
  return typeof origin === 'string' && /^[a-z][a-z\d+.-]*:\/\/[^/*]+$/.test(origin)
}
