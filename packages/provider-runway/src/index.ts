export type { RunwayModel, RunwayProviderOptions } from './provider/runway-options.ts'
export { runwayProvider } from './provider/runway-provider.ts'
