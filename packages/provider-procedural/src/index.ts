export { proceduralProvider, type ProceduralProviderOptions } from './provider/procedural-provider.ts'
export type { Prices } from './provider/price-list.ts'
