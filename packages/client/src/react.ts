export type { GenerationActions, GenerationOptions, GenerationState } from './generation/generation.ts'
export { useGeneration, type Generation } from './react/use-generation.ts'
