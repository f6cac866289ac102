import type { AnsweringVendor, Asked, Fetch } from './vendors.ts'

/** One answer of a vendor. */
export interface GivenAnswer {
  /** @default the request for the result */
  readonly step?: string | undefined
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** @param asked the request that gets it */
  readonly body: (asked: Asked) => string | Uint8Array<ArrayBuffer>
}

/** A `fetch` of a provider whose vendor gives this answer at its step, and its usual ones at all other steps. */
export function vendorFetch({ stepOf, usual }: AnsweringVendor, given: () => GivenAnswer): Fetch {
  return async (input, { method = 'GET' } = {}) => {
    const asked = { method, url: new URL(input instanceof Request ? input.url : input) }
    const { step: wanted = 'result', status, headers, body } = given()
    const step = stepOf?.(asked) ?? 'result'
    if (step === wanted) return new Response(status === 204 ? null : body(asked), { status, headers })
    return usual?.(step, asked) ?? new Response(null, { status: 599 })
  }
}
