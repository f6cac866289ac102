export type { OpenaiModel, OpenaiProviderOptions, OpenaiTokenPrices } from './provider/openai-options.ts'
export { openaiProvider } from './provider/openai-provider.ts'
