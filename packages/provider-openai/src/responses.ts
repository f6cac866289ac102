export type {
  OpenaiCaller,
  OpenaiResponsesModel,
  OpenaiResponsesOptions,
} from './responses/openai-responses-options.ts'
export { openaiResponsesProvider } from './responses/openai-responses-provider.ts'
