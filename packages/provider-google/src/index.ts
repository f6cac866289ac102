export type { GoogleModel, GoogleProviderOptions, GoogleTokenPrices } from './provider/google-options.ts'
export { googleProvider } from './provider/google-provider.ts'
