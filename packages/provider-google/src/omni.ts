export type {
  GeminiOmniModel,
  GeminiOmniProviderOptions,
  GeminiOmniTokenPrices,
} from './omni/omni-options.ts'
export { geminiOmniProvider } from './omni/omni-provider.ts'
