import type { Price, Provider, ProviderReport } from '@genmount/core'
import type { GuardedFetch } from '@genmount/guarded-fetch'
import type { VendorClient } from '@genmount/vendor-http'
import type { GeminiTokenPrices } from './gemini-price.ts'

/** How the API is reached. */
export interface GoogleApi {
  readonly client: VendorClient
  readonly fetchFile: GuardedFetch
  /** For files of the API's own `origin`, and for nobody else. */
  readonly keyHeaders: Readonly<Record<string, string>>
  readonly origin: string
}

/** What a model does for its jobs. */
export type GoogleWork = Pick<Provider, 'submit' | 'poll'>

/** Puts one of Google's models to work. `place` names the price in messages. */
export type MakeGoogleWork = (
  api: GoogleApi,
  vendorModel: string,
  place: string,
  price: Price | GeminiTokenPrices | undefined,
) => GoogleWork

export type FailedReport = Extract<ProviderReport, { state: 'failed' }>

export function failed(code: FailedReport['code'], message: string, costUsd?: number): FailedReport {
  return { state: 'failed', code, message, costUsd }
}
