import type { Json } from './json.ts'
import type { ProviderReport } from './provider-report.ts'

/** What a verified callback says. */
export interface CallbackNews {
  /** The handle of the task. */
  readonly handle: Json
  /** The state of the task. Only a verified one: what is not signed stays out. */
  readonly report: ProviderReport
}

/** A callback of a vendor, as the service received it. */
export interface CallbackRequest {
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, byte for byte, so that signatures over it can be verified. */
  readonly body: Uint8Array
}
