export { webhooks } from './deliveries/webhooks-plugin.ts'
