export type { Moderate, ModeratedInput, ModeratedOutputs, Verdict } from './moderation/moderate.ts'
export { moderation } from './moderation/moderation-plugin.ts'
