export type { OpenaiVideosModel, OpenaiVideosOptions } from './videos/openai-videos-options.ts'
export { openaiVideosProvider } from './videos/openai-videos-provider.ts'
