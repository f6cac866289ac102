export type { XaiModel, XaiProviderOptions } from './provider/xai-options.ts'
export { xaiProvider } from './provider/xai-provider.ts'
