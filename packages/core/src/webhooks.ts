export type { WebhookMethods, WebhookTest, WebhookTestAttempt } from './deliveries/deliveries-route.ts'
export { webhooks } from './deliveries/webhooks-plugin.ts'
