export type {
  AiSdkImageModel,
  AiSdkModel,
  AiSdkVideoModel,
  ImageResult,
  VideoResult,
} from './models/ai-sdk-model.ts'
export type { AiSdkModelOptions, CountedResult } from './models/model-entry.ts'
export { aiSdkProvider, type AiSdkProviderOptions } from './provider/ai-sdk-provider.ts'
