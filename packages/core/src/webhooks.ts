export type { WebhookMethods } from './deliveries/deliveries-route.ts'
export { webhooks } from './deliveries/webhooks-plugin.ts'
