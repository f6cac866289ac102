export {
  type FetchRefusedDetails,
  FetchRefusedError,
  type FetchRefusedReason,
} from './fetch-refused-error.ts'
export type { GuardedFetchOptions } from './fetch-options.ts'
export { gatherBytes } from './gather-bytes.ts'
export type { GuardedAnswer, GuardedPost, GuardedPostOptions } from './guarded-post.ts'
export type { GuardedFetch, GuardedResponse } from './guarded-fetch.ts'
export { type AllowAddress, isPublicAddress } from '../rules/address-rules.ts'
export { classifyUrl, type UrlVerdict } from '../rules/url-rules.ts'
