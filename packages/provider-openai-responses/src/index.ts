export type {
  OpenaiCaller,
  OpenaiResponsesModel,
  OpenaiResponsesOptions,
} from './provider/openai-responses-options.ts'
export { openaiResponsesProvider } from './provider/openai-responses-provider.ts'
