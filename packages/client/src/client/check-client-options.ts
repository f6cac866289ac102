import type { ClientOptions } from './client-options.ts'

/** The options with their defaults. */
export interface CheckedOptions {
  readonly baseUrl: string
  readonly apiKey: () => Promise<string | undefined>
  readonly fetch: typeof globalThis.fetch
  readonly maxRetries: number
  readonly timeoutMs: number
}

/** @throws TypeError that names the option and says what is accepted */
export function checkClientOptions(options: ClientOptions | undefined): CheckedOptions {
  const {
    baseUrl,
    apiKey,
    fetch,
    maxRetries = 5,
    timeoutMs = 120_000,
    ...others
  } = options ?? ({} as ClientOptions)
  for (const name of Object.keys(others))
    check(false, name, 'is none of baseUrl, apiKey, fetch, maxRetries, timeoutMs')
  const isAddress =
    /^https?:\/\/[^/?#\s@]+(\/[^?#\s]*)?$/i.test(baseUrl) ||
    // A page may leave its own origin out.
    (typeof location === 'object' && /^(\/(?!\/)[^?#\s]*)?$/.test(baseUrl))
  const address = isAddress ? baseUrl.replace(/\/+$/, '') : ''
  check(
    isAddress && !address.endsWith('/v1'),
    'baseUrl',
    'must be the address in front of /v1, such as https://example.org',
  )
  if (typeof apiKey !== 'function') checkKey(apiKey)
  check(fetch === undefined || typeof fetch === 'function', 'fetch', 'must be a function like fetch')
  check(Number.isInteger(maxRetries) && maxRetries >= 0, 'maxRetries', 'must be a whole number from 0')
  check(timeoutMs > 0 && timeoutMs < 2 ** 31, 'timeoutMs', 'must be above 0 and below 2 ** 31 ms')
  return {
    baseUrl: address,
    apiKey: async () => checkKey(typeof apiKey === 'function' ? await apiKey() : apiKey),
    // Browsers and workers require that `fetch` is called as a function of the global object.
    fetch: (input, init) => (fetch ?? globalThis.fetch)(input, init),
    maxRetries,
    timeoutMs,
  }
}

/**
 * `fetch` puts a header that it can't send into the message of its error. So a key that can't be a header is refused
 * here, and gets into no log.
 */
function checkKey(key: string | undefined): string | undefined {
  check(
    key === undefined || (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key)),
    'apiKey',
    'must be a text of visible ASCII characters, or a function',
  )
  return key
}

function check(isRight: boolean, name: string, rule: string): asserts isRight {
  if (!isRight) throw new TypeError(`createClient: ${name} ${rule}.`)
}
