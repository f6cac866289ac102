export type { A1111Model, A1111ProviderOptions } from './provider/a1111-options.ts'
export { a1111Provider } from './provider/a1111-provider.ts'
