/** How old or how far ahead of us a webhook may be. */
const toleranceMs = 5 * 60_000

/**
 * @param timestamp of a webhook, in Unix seconds
 * @param now in milliseconds since the Unix epoch
 * @throws Error when it is five minutes old, or as far ahead, or no timestamp
 */
export function checkWebhookAge(timestamp: string, now: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new Error('The webhook has no timestamp.')
  if (Math.abs(now - Number(timestamp) * 1000) > toleranceMs)
    throw new Error('The webhook is too old, or from the future.')
}
