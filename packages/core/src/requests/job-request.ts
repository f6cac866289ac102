import type { OutputKind } from '../contracts/provider.ts'
import type { WebhookWish } from '../contracts/webhooks.ts'

/** A request for a new job. */
export interface JobRequest {
  /** The owner of the bearer token. Only this owner can read the job. */
  readonly owner: string
  /** The id of the model. */
  readonly model: string
  /** The body without `model`, not validated yet. */
  readonly input: Readonly<Record<string, unknown>>
  /** The only kind of output that is accepted; other models are refused as `wrong_output_kind`. @default every kind */
  readonly outputKind?: OutputKind | undefined
  /**
   * The client's metadata of the job, not validated yet: up to 16 keys of 1 to 64 characters, with texts of up to 512
   * characters. It is stored with the job and never sent to a provider.
   * @default none
   */
  readonly metadata?: unknown
  /**
   * The webhook that the client asks for, not validated yet. It is stored with the job and never sent to a provider.
   * Refused if the service has no plugin that sends webhooks.
   * @default none
   */
  readonly webhook?: WebhookWish | undefined
  /** The idempotency key of the request. @default none: each request creates a job */
  readonly idempotency?: IdempotencyRequest | undefined
}

/** An idempotency key. It is unique within an owner and a scope: the same key in another scope is another key. */
export interface IdempotencyRequest {
  /** The key that the client has sent. */
  readonly key: string
  /** Where the key is valid. The /v1 interface uses the route of the request. */
  readonly scope: string
}
