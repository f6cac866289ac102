export type { ArkModel, ArkProviderOptions } from './provider/ark-options.ts'
export { arkProvider } from './provider/ark-provider.ts'
