export type { BflModel, BflProviderOptions } from './provider/bfl-options.ts'
export { bflProvider } from './provider/bfl-provider.ts'
