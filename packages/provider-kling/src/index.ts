export { type KlingAccessKeys, klingAccessToken } from './client/kling-access-token.ts'
export type { KlingModel, KlingProviderOptions } from './provider/kling-options.ts'
export { klingProvider } from './provider/kling-provider.ts'
