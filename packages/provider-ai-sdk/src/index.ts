export type {
  AiSdkImageModel,
  AiSdkModel,
  AiSdkVideoModel,
  ImageResult,
  VideoData,
  VideoResult,
  VideoStatus,
  Warned,
} from './models/ai-sdk-model.ts'
export type { AiSdkModelOptions, AiSdkProviderOptions, CountedResult } from './provider/ai-sdk-options.ts'
export { aiSdkProvider } from './provider/ai-sdk-provider.ts'
export { vendorFetch } from './vendor/vendor-fetch.ts'
