export type {
  OpenaiCompatibleModel,
  OpenaiCompatibleOptions,
} from './compatible/openai-compatible-options.ts'
export { openaiCompatible } from './compatible/openai-compatible.ts'
