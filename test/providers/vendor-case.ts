import type { CallbackRequest, JsonObject, Provider } from '@genmount/core'

type Fetch = typeof globalThis.fetch

/** The input of a job, for models that ask for no more. */
export const foxInput = { prompt: 'a fox' }

/** For fakes that are asked at their own address. */
export const plainFetch: Fetch = (input, init) => fetch(input, init)

/** What a provider asks its vendor for: to start a task, how it stands, what came of it. */
export type Step = 'submit' | 'poll' | 'result' | 'other'

/** A fake of a vendor that runs, and the provider before it. */
export interface HostedVendor {
  /** What must be read nowhere. */
  readonly secrets: readonly string[]
  /** How many tasks it has taken on, each of which is to be paid for. */
  taken(): number
  /** Finds the vendor's hosts. */
  readonly fetch: Fetch
  connect(fetch: Fetch): Provider
  /** All tasks. Absent where there is nothing to forget. */
  forget?(): void
  /** The webhook of the last task, where the vendor sends any. */
  readonly webhook?: VendorWebhook
  close(): Promise<void>
}

export interface VendorWebhook {
  /** Has the last task end. */
  finish(): void
  /** Where the webhook goes, as the provider has asked for it. */
  address(): string | undefined
  /** As the vendor sends it, at its present state; `sentAt` in milliseconds since the Unix epoch. */
  signed(sentAt: number): CallbackRequest
}

/** An answer with status 200 and this as its JSON, to such a step. */
export interface Words {
  readonly step: Step
  json(asked: URL): unknown
}

/** A provider, and how its vendor words things. */
export interface VendorCase {
  /** @param typicalMs how long tasks usually take, for vendors that the cases of callbacks and cancellation need it of */
  start(typicalMs?: number): Promise<HostedVendor>
  readonly model: string
  readonly input: JsonObject
  stepOf(method: string, url: URL): Step
  /** The body of an error. */
  error(words: string): unknown
  /** A task that has ended, and its output is at `url`; without one there is no output. */
  ended(url: unknown): Words
  /** A task that has failed, and why. */
  failed?(words: string): Words
  /** A state that nobody has heard of. */
  readonly strange?: Words
  /** Whether a task outlives the process that has started it. */
  readonly isDurable: boolean
  /** Whether the vendor's webhooks are signed, or only hints to ask it. Absent where it sends none. */
  readonly webhooks?: 'signed' | 'hints'
  /** Whether a submit whose answer was lost is looked for, and made again when it never arrived. */
  readonly finds?: true
  /** Whether a success that makes no sense is told from an answer that was lost. */
  readonly knowsNonsense?: true
}
