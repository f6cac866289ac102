export type {
  RunpodEndpoint,
  RunpodModel,
  RunpodPolicy,
  RunpodProviderOptions,
  RunpodWorkflow,
} from './provider/runpod-options.ts'
export { runpodProvider } from './provider/runpod-provider.ts'
