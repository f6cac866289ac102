/** How far the timestamp of a webhook may lie before or after the current instant. */
const toleranceMs = 5 * 60_000

/**
 * Checks that a webhook was sent at most five minutes ago, and is dated at most five minutes ahead.
 * @param timestamp the date of the webhook, in whole seconds since the Unix epoch
 * @param now the current instant in milliseconds since the Unix epoch
 * @throws Error when the webhook is older or dated further ahead, or when `timestamp` is not a number of seconds
 */
export function checkWebhookAge(timestamp: string, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new Error('The webhook has no valid timestamp.')
  if (Math.abs(now - Number(timestamp) * 1000) > toleranceMs)
    throw new Error('The webhook is more than five minutes old, or dated more than five minutes ahead.')
}
