export type { GoogleOptions } from './client/google-client.ts'
export type { GoogleModelOptions } from './client/google-models.ts'
export type { GoogleModel, GoogleProviderOptions, GoogleTokenPrices } from './provider/google-options.ts'
export { googleProvider } from './provider/google-provider.ts'
