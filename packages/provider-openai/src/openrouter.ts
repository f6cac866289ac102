export type { OpenrouterModel, OpenrouterOptions } from './openrouter/openrouter-options.ts'
export { openrouterProvider } from './openrouter/openrouter-provider.ts'
