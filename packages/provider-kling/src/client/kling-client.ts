import { vendorAnswer, vendorClient, type VendorClient } from '@genmount/provider-kit'
import { klingAccessToken, type KlingAccessKeys } from './kling-access-token.ts'
import { serviceCodeIn, statusOf, wordsIn } from './service-codes.ts'

/** How to reach Kling, and as whom. */
export interface KlingAccess {
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The API key, or the older pair of keys. */
  readonly credentials: string | KlingAccessKeys
  /** The current instant in milliseconds since the Unix epoch. */
  now(): number
}

/**
 * Makes the client of Kling's API. An answer is `ok` only if its service code is 0 or missing: gateways send Kling's refusals
 * with status 200 as well.
 */
export function klingClient({ credentials, now, headers, ...access }: KlingAccess): VendorClient {
  return {
    async ask(request) {
      const isKey = typeof credentials === 'string'
      const token = isKey ? credentials : await klingAccessToken(credentials, now())
      const { ask } = vendorClient({
        ...access,
        vendor: 'Kling',
        headers: { ...headers, authorization: `Bearer ${token}` },
        secrets: isKey ? [] : [credentials.accessKey, credentials.secretKey],
        wordsIn,
      })
      const answer = await ask(request)
      const code = answer.ok ? serviceCodeIn(answer.json) : undefined
      if (!code) return answer
      const { bytes, text, json } = answer
      return vendorAnswer(
        { ok: false, status: statusOf(code), headers: answer.headers, bytes, text, json },
        wordsIn,
      )
    },
  }
}
