export type { OpenaiCompatibleModel, OpenaiCompatibleOptions } from './provider/openai-compatible-options.ts'
export { openaiCompatible } from './provider/openai-compatible.ts'
