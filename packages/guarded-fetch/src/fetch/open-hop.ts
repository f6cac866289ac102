import type { AllowAddress } from '../rules/address-rules.ts'

/** One request. Each redirect needs a further request. */
export interface Hop {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** The body to post. @default none: the request is a GET */
  readonly body?: Uint8Array<ArrayBuffer>
  readonly allowAddress: AllowAddress
  /** Aborting it closes the connection at once, even after the response has arrived. */
  readonly stop: AbortSignal
  /** The owner for whom the URL is fetched. Owners take turns when DNS look-ups have to wait. */
  readonly owner: string | undefined
}

/** An answer whose head has arrived. */
export interface OpenedResponse {
  readonly status: number
  /** The value of a header, read as UTF-8, by its name in lower case. */
  header(name: string): string | undefined
  headers(): Headers
  /** The body as it arrives, inflated if it is gzip. Called at most once. */
  chunks(isGzip: boolean): AsyncIterator<Uint8Array<ArrayBuffer>>
  /** Closes the connection. */
  close(): void
}

/**
 * Sends a request, follows no redirect, and resolves when the head of the answer has arrived. The caller has checked the text of
 * the URL, and so an IP address in it; the function checks a host name as well as its runtime can.
 * @throws FetchRefusedError `address` or `network`. It is `network` too when `stop` has closed the connection
 */
export type OpenHop = (hop: Hop) => Promise<OpenedResponse>
