import type { CallbackRequest, JsonObject, Provider } from '@genmount/core'

type Fetch = typeof globalThis.fetch

/** The input of a job, for models that require no more. */
export const foxInput = { prompt: 'a fox' }

/** For fakes that receive requests at their own address. */
export const plainFetch: Fetch = (input, init) => fetch(input, init)

/** The kinds of requests of a provider: start a task, read its state, read its result. */
export type Step = 'submit' | 'poll' | 'result' | 'other'

/** A running fake of a vendor, and the provider that uses it. */
export interface HostedVendor {
  /** The secrets that must appear nowhere. */
  readonly secrets: readonly string[]
  /** How many tasks the fake has accepted. Each of them costs money. */
  taken(): number
  /** Finds the vendor's hosts. */
  readonly fetch: Fetch
  connect(fetch: Fetch): Provider
  /** Forgets all tasks. Absent if the fake has nothing to forget. */
  forget?(): void
  /** The webhook of the last task, if the vendor sends webhooks. */
  readonly webhook?: VendorWebhook
  close(): Promise<void>
}

export interface VendorWebhook {
  /** Ends the last task. */
  finish(): void
  /** The URL of the webhook, as the provider has sent it. */
  address(): string | undefined
  /**
   * The webhook as the vendor sends it for the present state of the task. `sentAt` is in milliseconds since the Unix
   * epoch.
   */
  signed(sentAt: number): CallbackRequest
}

/** An answer with status 200 and this as its JSON, to such a step. */
export interface Words {
  readonly step: Step
  json(asked: URL): unknown
}

/** A provider, and the formats of its vendor's answers. */
export interface VendorCase {
  /** @param typicalMs how long tasks usually take, for the vendors whose callback and cancellation cases need it */
  start(typicalMs?: number): Promise<HostedVendor>
  readonly model: string
  readonly input: JsonObject
  stepOf(method: string, url: URL): Step
  /** The body of an error. */
  error(words: string): unknown
  /** A task that has succeeded with its output at `url`. Without `url`, the task has no output. */
  ended(url: unknown): Words
  /** A task that has failed, and why. */
  failed?(words: string): Words
  /** A state that the provider does not know. */
  readonly strange?: Words
  /** Whether a task outlives the process that has started it. */
  readonly isDurable: boolean
  /** Whether the vendor's webhooks are signed, or only trigger a poll. Absent if the vendor sends none. */
  readonly webhooks?: 'signed' | 'hints'
  /** Whether the provider looks for a submit whose answer was lost, and repeats the submit if it never arrived. */
  readonly finds?: true
  /** Whether the provider distinguishes an invalid success from a lost answer. */
  readonly knowsNonsense?: true
}
