export { type EsrganPrices, esrganProvider, type EsrganProviderOptions } from './provider/esrgan-provider.ts'
