export {
  vendorClient,
  type VendorAnswer,
  type VendorClient,
  type VendorClientOptions,
  type VendorRequest,
} from './client/vendor-client.ts'
export { messageOf, pollFailure, submitFailure } from './client/vendor-failure.ts'
export { retryAfterMs } from './client/retry-after.ts'
export { standardWebhook, type StandardWebhook } from './webhook/standard-webhook.ts'
