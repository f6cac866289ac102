export type {
  GeminiOmniModel,
  GeminiOmniProviderOptions,
  GeminiOmniTokenPrices,
} from './provider/omni-options.ts'
export { geminiOmniProvider } from './provider/omni-provider.ts'
