export {
  type FetchRefusedDetails,
  FetchRefusedError,
  type FetchRefusedReason,
} from './fetch/fetch-refused-error.ts'
export type { GuardedFetchOptions } from './fetch/fetch-options.ts'
export { gatherBytes } from './fetch/gather-bytes.ts'
export {
  guardedPost,
  type GuardedAnswer,
  type GuardedPost,
  type GuardedPostOptions,
} from './fetch/guarded-post.ts'
export { guardedFetch, type GuardedFetch, type GuardedResponse } from './fetch/guarded-fetch.ts'
export { type AllowAddress, isPublicAddress } from './rules/address-rules.ts'
export { classifyUrl, type UrlVerdict } from './rules/url-rules.ts'
