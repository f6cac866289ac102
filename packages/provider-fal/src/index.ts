export { falProvider } from './provider/fal-provider.ts'
export type { FalModel, FalProviderOptions } from './provider/fal-options.ts'
export type { FalInput } from './provider/fal-input.ts'
