export {
  openaiProvider,
  type OpenaiModelOptions,
  type OpenaiProviderOptions,
} from './provider/openai-provider.ts'
export type { TokenPrices } from './provider/image-price.ts'
