export type {
  AiSdkImageModel,
  AiSdkModel,
  AiSdkResult,
  AiSdkVideo,
  AiSdkVideoModel,
  CountedResult,
} from '@genmount/ai-sdk-tasks'
export { vendorFetch } from '@genmount/vendor-http'
export type { AiSdkModelOptions, AiSdkProviderOptions } from './provider/ai-sdk-options.ts'
export { aiSdkProvider } from './provider/ai-sdk-provider.ts'
