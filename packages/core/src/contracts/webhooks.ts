import type { Job } from './job.ts'

/** What a client may be told of: `job.completed`, or `job.failed`, which cancelled jobs are too. */
export type WebhookEvent = 'job.completed' | 'job.failed'

/** One try to deliver what has happened to a job. */
export interface DeliveryAttempt {
  /** What the receiver was told. */
  readonly event: WebhookEvent
  /** When the try began. */
  readonly at: number
  /** The HTTP status of the answer. Absent when there was none. */
  readonly status?: number
  /** Why the try came to nothing, in words that its owner is shown. Absent when the delivery has arrived. */
  readonly error?: string
}

/** Where a client wants to be told of its job's end, and what has become of that. Instants as in the job. */
export interface JobWebhook {
  /** The https URL of the receiver. */
  readonly url: string
  /** What the client wants to be told of. */
  readonly events: readonly WebhookEvent[]
  /**
   * When the delivery that the job owes is tried next; during a try, when another process may try it. Absent when no
   * delivery is owed.
   */
  readonly dueAt?: number
  /** A random text of the try under way. Absent between two tries. */
  readonly token?: string
  /** How many tries of the delivery that is owed have failed. Absent for none. */
  readonly failed?: number
  /** The latest tries, the earliest first. Absent before the first one. */
  readonly attempts?: readonly DeliveryAttempt[]
}

/** What a receiver is told. */
export interface WebhookDelivery {
  /** The same in each try of this delivery, and in no other delivery. Has no dot. */
  readonly id: string
  /** What has happened. */
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
      /** The HTTP status. From 200 to 299 the delivery has arrived, and 410 ends it for good. */
      readonly status: number
      /** The pause that the receiver asks for, in milliseconds. It counts with the statuses 429 and 503. @default none */
      readonly retryAfterMs?: number | undefined
    }
  | {
      /** Why there is no answer, in words that the owner of the job is shown. */
      readonly error: string
      /** Whether every further try would fail, too. @default false */
      readonly isLasting?: boolean | undefined
    }

/**
 * Tells clients of the ends of their jobs, for example `signedWebhooks({ ... })` of `@genmount/webhooks`. The service
 * says when to try, and keeps what has become of each try.
 */
export interface Webhooks {
  /**
   * Why nothing is sent to a URL, as far as its text tells, in words that go on after the name of the field, such as
   * `must have a public address.`; `undefined` for a URL that is accepted. It is an https URL of at most 2048 characters.
   */
  refusal(url: URL): string | undefined
  /** Makes one try. A throw counts as a try without an answer, and its error goes to the log. */
  send(delivery: WebhookDelivery): Promise<DeliveryAnswer>
}
