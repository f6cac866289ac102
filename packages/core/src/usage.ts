export type { CostPage, CostRequest } from './usage/read-costs.ts'
export type { ServiceUsage, UsageGroupSums, UsageRequest, UsageSums } from './usage/read-usage.ts'
export { csvOf } from './usage/usage-csv.ts'
export { usage, type UsageMethods } from './usage/usage-plugin.ts'
