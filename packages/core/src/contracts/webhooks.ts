import type { Job } from './job.ts'

/** The event of a webhook: `job.completed`, or `job.failed`, which includes cancelled jobs. */
export type WebhookEvent = 'job.completed' | 'job.failed'

/** One try to deliver an event of a job. */
export interface DeliveryAttempt {
  /** The event that was sent. */
  readonly event: WebhookEvent
  /** When the try began. */
  readonly at: number
  /** The HTTP status of the answer. Absent when there was none. */
  readonly status?: number
  /** Why the try failed, in words for the owner of the job. Absent when the delivery has arrived. */
  readonly error?: string
}

/** The webhook of a job, and the state of its delivery. Instants as in the job. */
export interface JobWebhook {
  /** The URL of the receiver: https, or http for this machine. */
  readonly url: string
  /** The events that the client wants to receive. */
  readonly events: readonly WebhookEvent[]
  /**
   * When the service next tries the delivery that the job owes. During a try: when another process may try. Absent when
   * no delivery is owed.
   */
  readonly dueAt?: number
  /** A random text that identifies the try under way. Absent between two tries. */
  readonly token?: string
  /** How many tries of the delivery that is owed have failed. Absent when it is 0. */
  readonly failed?: number
  /** The latest tries, the earliest first. Absent before the first try. */
  readonly attempts?: readonly DeliveryAttempt[]
}

/** One delivery to a receiver. */
export interface WebhookDelivery {
  /** The same in each try of this delivery, and in no other delivery. It contains no dot. */
  readonly id: string
  /** The event. */
  readonly event: WebhookEvent
  /** The job, which has finished. */
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

/** The webhook that a client asks for, not validated yet. `null` counts as absent. */
export interface WebhookWish {
  /** The https URL of the receiver: up to 2048 characters. */
  readonly url?: unknown
  /** A list of `job.completed` and `job.failed`. @default both */
  readonly events?: unknown
}
