import type { FileFetch } from '@genmount/core'
import { vendorOrigin } from './vendor-wire.ts'

/** Gets the vendor's files where it really is. */
export function vendorFetch(address: string): FileFetch {
  return async (url, { signal }) => {
    const response = await fetch(url.replace(vendorOrigin, address), { signal })
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}.`)
    return { body: response.body }
  }
}
