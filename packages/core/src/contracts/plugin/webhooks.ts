import type { Job } from '../job.ts'
import type { WebhookEvent } from '../job-webhook.ts'

/** One delivery to a receiver. */
export interface WebhookDelivery {
  /** The same in each try of this delivery, and in no other delivery. It contains no dot. */
  readonly id: string
  /** The event. `webhook.test`: an operator tries a receiver, and there is no such job. */
  readonly event: WebhookEvent | 'webhook.test'
  /** The job, which has finished. With `webhook.test`, an example of one. */
  readonly job: Job
  /** The URL of the receiver. */
  readonly url: string
  /** The instant of this try, in milliseconds since the Unix epoch. */
  readonly at: number
  /** Aborted when the try takes too long, or the service closes. */
  readonly signal: AbortSignal
}

/** The outcome of one try. */
export type DeliveryAnswer =
  | {
      /** The HTTP status. A status from 200 to 299 means that the delivery has arrived, and 410 ends it for good. */
      readonly status: number
      /**
       * The pause that the receiver asks for, in milliseconds. It counts with the statuses 429 and 503.
       * @default none
       */
      readonly retryAfterMs?: number | undefined
    }
  | {
      /** Why there is no answer, in words for the owner of the job. */
      readonly error: string
      /** Whether every further try would fail as well. @default false */
      readonly isLasting?: boolean | undefined
    }

/** Sends webhooks. The plugin `webhooks` decides when to try, and stores the outcome of each try. */
export interface WebhookSender {
  /**
   * Whether webhooks may reach this machine, also by http. The service then passes http URLs to `refusal` too, and warns
   * at its start.
   * @default false
   */
  readonly allowLoopback?: boolean | undefined
  /**
   * Says why webhooks must not be sent to a URL, judged by its text alone. The words continue a sentence that begins
   * with the name of the field, such as `must have a public address.` `undefined` for a URL that is accepted. The
   * argument is a URL of at most 2048 characters, and is an https URL unless `allowLoopback` is set.
   */
  refusal(url: URL): string | undefined
  /** Makes one try. A throw counts as a try without an answer, and its error goes to the log. */
  send(delivery: WebhookDelivery): Promise<DeliveryAnswer>
}
