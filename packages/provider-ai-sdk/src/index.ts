export {
  type AiSdkImageModel,
  type AiSdkModel,
  type AiSdkResult,
  type AiSdkVideo,
  type AiSdkVideoModel,
  type CountedResult,
  isMediaModel,
  isVideoModel,
} from './models/ai-sdk-model.ts'
export type { ModelCall } from './tasks/model-call.ts'
export { type ModelTaskOptions, modelTaskOptions } from './tasks/model-task-options.ts'
export { type ModelTasks, modelTasks } from './tasks/model-tasks.ts'
export { vendorFetch } from './models/vendor-fetch.ts'
export type { AiSdkModelOptions, AiSdkProviderOptions } from './provider/ai-sdk-options.ts'
export { aiSdkProvider } from './provider/ai-sdk-provider.ts'
