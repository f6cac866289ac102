export { limits, type LimitsOptions } from './limits/limits-plugin.ts'
export type { ReservedUsd } from './limits/spending-limit.ts'
export type { Limits, OwnerLimits } from './limits/owner-limits.ts'
export type { CountedRequest, RequestCounter } from './limits/request-counter.ts'
