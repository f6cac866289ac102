/** What OpenAI's providers have in common. It is for the packages of this repository, and may change at any time. */
export {
  type OfferedImageModel,
  offeredImageModel,
  type OpenaiModel,
  openaiModelOptions,
} from './gpt-image/gpt-image-model.ts'
export { checkFixedParameters, type ImageInput, parametersOf, picturesIn } from './gpt-image/image-input.ts'
export { type ImageTokens, imageTokensOf, imageUsage } from './gpt-image/image-tokens.ts'
export { failureOf, failureReport } from './gpt-image/openai-failure.ts'
