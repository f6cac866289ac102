export type { VeoModel, VeoProviderOptions } from './provider/veo-options.ts'
export { veoProvider } from './provider/veo-provider.ts'
