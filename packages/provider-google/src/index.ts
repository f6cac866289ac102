export {
  googleProvider,
  type GoogleModelOptions,
  type GoogleProviderOptions,
} from './provider/google-provider.ts'
export type { GeminiTokenPrices } from './provider/gemini-price.ts'
