import type { CallbackRequest, JsonObject, Provider } from '@genmount/core'
import type { VendorServer } from './vendor-server.ts'

type Fetch = typeof globalThis.fetch

/** The input of a job, for models that require no more. */
export const foxInput = { prompt: 'a fox' }

/** The kinds of requests of a provider: start a task, read its state, read its result. */
export type Step = 'submit' | 'poll' | 'result' | 'other'

/** A running fake of a vendor. */
export interface VendorFake extends VendorServer {
  /** What the vendor is paid for. */
  readonly ledger: readonly unknown[]
  /** Forgets all tasks. Absent if the fake has nothing to forget. */
  forget?(): void
  /** The webhook of the last task, if the vendor sends webhooks. */
  readonly webhook?: VendorWebhook
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

/** A state of the task that is asked for. */
export const polled = (fields: object): Words => ({
  step: 'poll',
  json: ({ pathname }) => ({ id: pathname.split('/').at(-1), ...fields }),
})

/** Where a provider finds its vendor's fake, and how long tasks usually take. */
export interface ProviderOptions {
  readonly origin: string
  /** Finds the vendor's own hosts too. */
  readonly fetch: Fetch
  readonly typicalMs?: number | undefined
}

/** What is known of a vendor: its fake, its provider, and the formats of its answers. */
interface VendorFacts {
  /** @default a POST submits, a GET polls */
  stepOf?(method: string, url: URL): Step
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
  /**
   * `signed`: the vendor signs its webhooks. `account`: it does, and sends those of all tasks to one address. `hints`: a webhook
   * only triggers a poll. Absent if the vendor sends none.
   */
  readonly webhooks?: 'signed' | 'account' | 'hints'
  /**
   * Whether the provider looks for a submit whose answer was lost. `arrived`: it finds one that has arrived. `true`: it also repeats one
   * that never arrived.
   */
  readonly finds?: true | 'arrived'
  /** Whether the vendor answers a repeated submit with the task that it has already. */
  readonly dedupes?: true
  /** Whether a 409 to a submit says that the vendor has the job already. */
  readonly hasJobAt409?: true
  /** Whether the vendor's answer about a task that it has forgotten reads like that about a running one. */
  readonly hidesForgotten?: true
  /** Whether the provider can't poll a task whose model it has no more. */
  readonly needsModel?: true
  /** Whether the provider distinguishes an invalid success from a lost answer. */
  readonly knowsNonsense?: true
  /** @default 'it', the only model of the provider that has to be described */
  readonly model?: string
  /** @default a prompt */
  readonly input?: JsonObject
  readonly secrets: readonly string[]
  /** The vendor's own hosts, for providers that have no option for another address. */
  readonly hosts?: readonly string[]
  /** @param typicalMs how long tasks usually take, for the vendors whose callback and cancellation cases need it */
  fake(typicalMs?: number): Promise<VendorFake>
  provider(options: ProviderOptions): Provider
}

export type VendorCase = ReturnType<typeof vendorCase>

/** A running fake of a vendor, and the provider that uses it. */
export type HostedVendor = Awaited<ReturnType<VendorCase['start']>>

export function vendorCase(facts: VendorFacts) {
  const { secrets, fake, provider } = facts
  return {
    model: 'it',
    input: foxInput as JsonObject,
    stepOf: (method: string, _asked: URL): Step =>
      method === 'POST' ? 'submit' : method === 'GET' ? 'poll' : 'other',
    ...facts,
    async start(typicalMs?: number) {
      const started = await fake(typicalMs)
      return {
        ...started,
        /** The secrets that must appear nowhere. */
        secrets,
        /** How many tasks the fake has accepted. Each of them costs money. */
        taken: () => started.ledger.length,
        connect: (fetch: Fetch) => provider({ origin: started.origin, fetch, typicalMs }),
      }
    },
  }
}
