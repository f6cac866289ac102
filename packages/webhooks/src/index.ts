export { type WebhookMethods, webhooks } from '@genmount/core/webhooks'
export type { WebhookFetch } from './webhooks/post-through.ts'
export { signedWebhooks, type SignedWebhooksOptions } from './webhooks/signed-webhooks.ts'
