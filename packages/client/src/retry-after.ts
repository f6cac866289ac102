export { retryAfterMs } from './http/retry-after-ms.ts'
