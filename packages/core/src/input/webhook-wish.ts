import type { WebhookWish } from '../contracts/webhooks.ts'
import { GenerationError } from '../errors/generation-error.ts'

/** Whether the client asks for a webhook. `null` counts as absent. */
export function isWebhookWanted({ url, events }: WebhookWish = {}): boolean {
  return (url ?? events ?? undefined) !== undefined
}

/** The refusal of a webhook by a service that sends none. */
export function noWebhooks(): GenerationError {
  const message = 'webhook_url is not accepted: this service sends no webhooks.'
  return new GenerationError('invalid_request', message, { param: 'webhook_url' })
}
