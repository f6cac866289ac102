import type { WebhookWish } from '@genmount/core'

/** Separates the webhook fields of a create from the input, beyond the base interface. */
export function webhookFields(fields: Readonly<Record<string, unknown>>): {
  readonly input: Readonly<Record<string, unknown>>
  readonly webhook: WebhookWish
} {
  const { webhook_url: url, webhook_events: events, ...input } = fields
  return { input, webhook: { url, events } }
}
