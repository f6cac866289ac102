export type { ReplicateModel, ReplicateProviderOptions } from './provider/replicate-options.ts'
export { replicateProvider } from './provider/replicate-provider.ts'
