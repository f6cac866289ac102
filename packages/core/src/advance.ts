export { advance, type AdvanceOptions } from './advance/advance-plugin.ts'
export type { AdvanceMethods, AdvanceRequest, AdvanceResult } from './advance/advance-due.ts'
