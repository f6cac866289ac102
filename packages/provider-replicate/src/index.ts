export type { InputName } from './provider/input-schema.ts'
export type { ReplicateModel } from './provider/model-options.ts'
export { replicateProvider, type ReplicateProviderOptions } from './provider/replicate-provider.ts'
