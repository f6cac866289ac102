export type { GenerationActions, GenerationOptions, GenerationState } from './generation/generation.ts'
export { useGeneration, type Generation } from './solid/use-generation.ts'
