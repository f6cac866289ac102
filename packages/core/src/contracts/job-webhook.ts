/** The event of a webhook: `job.completed`, or `job.failed`, which includes canceled jobs. */
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
