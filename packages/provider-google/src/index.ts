export type { GoogleTokenPrices } from './provider/gemini-tokens.ts'
export type { GoogleFilmTokenPrices } from './provider/interaction-tokens.ts'
export type { GoogleModel, GoogleProviderOptions } from './provider/google-options.ts'
export { googleProvider } from './provider/google-provider.ts'
