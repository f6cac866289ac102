export { esrganProvider, type EsrganProviderOptions } from './provider/esrgan-provider.ts'
