import { networkRefusal } from '../fetch/fetch-refused-error.ts'
import type { Hop, OpenedResponse } from '../fetch/open-hop.ts'
import { isAllowedAddress } from '../rules/address-rules.ts'
import { addressRefusal, isLocalName } from '../rules/url-rules.ts'

/** A read with a buffer of its own gets up to so many bytes; without one, it gets 4 kB. */
const chunkBytes = 65_536

/**
 * An {@link OpenHop} through workerd's `fetch`. A Worker can't look a name up, so of a name only its text is checked. workerd
 * itself connects to public addresses only, unless its operator has configured another network.
 * @see https://github.com/cloudflare/workerd/blob/main/src/workerd/server/workerd.capnp `struct Network` (2026-11-27)
 */
export async function openByFetch({ url, headers, body, allowAddress, stop }: Hop): Promise<OpenedResponse> {
  const isLocalhost =
    /(?:^|\.)localhost\.?$/.test(url.hostname) && isAllowedAddress('127.0.0.1', allowAddress)
  if (isLocalName(url) && !isLocalhost) throw addressRefusal(url)
  const init = { headers, redirect: 'manual', signal: stop } as const
  const response = await fetch(url, body ? { ...init, method: 'POST', body } : init).catch(
    (cause: unknown) => {
      throw networkRefusal(url, cause)
    },
  )
  const reader = response.body?.getReader({ mode: 'byob' })
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    headers: () => response.headers,
    // workerd has inflated gzip.
    chunks: () => ({
      async next() {
        const { done, value } = (await reader?.read(new Uint8Array(chunkBytes))) ?? { done: true }
        return done || !value ? { done: true, value: undefined } : { done: false, value }
      },
    }),
    close: () => void reader?.cancel().catch(() => {}),
  }
}
