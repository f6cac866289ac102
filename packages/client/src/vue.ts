export type { GenerationActions, GenerationOptions, GenerationState } from './generation/generation.ts'
export { useGeneration, type Generation } from './vue/use-generation.ts'
