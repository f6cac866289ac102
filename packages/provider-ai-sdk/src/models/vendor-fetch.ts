/**
 * Makes a `fetch` for the SDK of a vendor, such as the packages of the AI SDK, that keeps to what genmount promises of a
 * submit.
 *
 * - It sends each request once. Deno's own `fetch` sends a text a second time when the connection breaks before the
 *   answer (denoland/deno#35610), and both tasks are billed.
 * - It follows no redirect of a request that has a body or credentials: another host would get the key, and could start
 *   the task a second time. Instead it rejects with a TypeError. A request that sets `redirect` itself is left as it is.
 * @param fetch sends the requests. @default the runtime's `fetch`
 * @example
 * const fal = createFal({ fetch: vendorFetch() })
 */
export function vendorFetch(fetch: typeof globalThis.fetch = globalThis.fetch): typeof globalThis.fetch {
  return (input, { body, ...init } = {}) => {
    const isPlain = body === undefined && !hasCredentials(new Headers(init.headers))
    return fetch(input, {
      ...(!isPlain && { redirect: 'error' }),
      ...init,
      ...(body !== undefined && { body: typeof body === 'string' ? new Blob([body]) : body }),
    })
  }
}

/** Vendors name the header of their key differently: `authorization`, `x-key`, `x-goog-api-key`. */
function hasCredentials(headers: Headers): boolean {
  return [...headers.keys()].some((name) => /auth|key|token|secret|cookie/.test(name))
}
