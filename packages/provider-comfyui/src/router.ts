export type { SchemaPart } from './router/published-model.ts'
export type { ComfyRouterModel, ComfyRouterOptions } from './router/router-options.ts'
export { comfyRouterProvider } from './router/router-provider.ts'
