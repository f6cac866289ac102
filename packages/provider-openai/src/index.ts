export type { OpenaiModel, OpenaiTokenPrices } from './gpt-image/gpt-image-model.ts'
export type { OpenaiProviderOptions } from './provider/openai-options.ts'
export { openaiProvider } from './provider/openai-provider.ts'
