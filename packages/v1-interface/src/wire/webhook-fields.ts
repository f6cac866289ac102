import type { WebhookWish } from '@genmount/core'

/** Takes the fields that say where the client wants to be told of its job's end out of the input, beyond the base interface. */
export function webhookFields(fields: Readonly<Record<string, unknown>>): {
  readonly input: Readonly<Record<string, unknown>>
  readonly webhook: WebhookWish
} {
  const { webhook_url: url, webhook_events: events, ...input } = fields
  return { input, webhook: { url, events } }
}
