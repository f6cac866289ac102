export {
  useGeneration,
  type Generation,
  type GenerationOptions,
  type GenerationState,
} from './react/use-generation.ts'
