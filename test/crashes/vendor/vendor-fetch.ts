import type { FileFetch } from '@genmount/core'
import { vendorOrigin } from './vendor-wire.ts'

/** Fetches the files of the vendor from its real address instead of `vendorOrigin`. */
export function vendorFetch(address: string): FileFetch {
  return async (url, { signal }) => {
    const response = await fetch(url.replace(vendorOrigin, address), { signal })
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}.`)
    return { body: response.body }
  }
}
