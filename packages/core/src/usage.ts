export type { CostPage, CostRequest } from './usage/read-costs.ts'
export type { ServiceUsage, UsageRequest, UsageSums } from './usage/read-costs.ts'
export { usage, type UsageMethods } from './usage/usage-plugin.ts'
