import type { DeliveryAnswer, WebhookDelivery, WebhookSender } from '@genmount/core'

/** WebhookSender that send nothing and remember everything. */
export interface FakeWebhooks extends WebhookSender {
  /** All tries, in their order. */
  readonly sent: readonly WebhookDelivery[]
}

/**
 * Makes webhooks whose receivers exist in memory only.
 * @param answerTo returns the answer to a try. @default the status that ends the URL's path, such as 410 in
 *   `https://receiver.example/410`, otherwise 200. The host `private.example` is refused
 * @example
 * const sender = fakeWebhooks()
 * const service = createGenerationService({ providers: [fakeProvider()], plugins: [webhooks(sender)] })
 */
export function fakeWebhooks(
  answerTo: (delivery: WebhookDelivery) => DeliveryAnswer | Promise<DeliveryAnswer> = statusInUrl,
): FakeWebhooks {
  const sent: WebhookDelivery[] = []
  return {
    sent,
    refusal: ({ hostname }) => (hostname === 'private.example' ? 'must have a public address.' : undefined),
    async send(delivery) {
      sent.push(delivery)
      return answerTo(delivery)
    },
  }
}

function statusInUrl({ url }: WebhookDelivery): DeliveryAnswer {
  return { status: Number(/\/(\d{3})$/.exec(url)?.[1] ?? 200) }
}
