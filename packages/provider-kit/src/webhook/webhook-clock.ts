import { callable, type Check, optional } from '@genmount/core'

/** The option of providers whose vendor dates its webhooks. */
export interface WebhookClock {
  /**
   * Returns the current instant in milliseconds since the Unix epoch, which decides whether a webhook is too old.
   * @default Date.now
   */
  readonly now?: (() => number) | undefined
}

/** The check of the {@link WebhookClock}, for the table of a provider's options. */
export const webhookClock: Readonly<Record<'now', Check<() => number>>> = {
  now: optional(callable<() => number>('Date.now'), () => Date.now()),
}
