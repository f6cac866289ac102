export type { FalModel, FalProviderOptions } from './provider/fal-options.ts'
export { falProvider } from './provider/fal-provider.ts'
