export type { DecodeFrame, FilmToDecode } from './film/decode-frame.ts'
export { ffmpegFrame, type FfmpegFrameOptions } from './film/ffmpeg-frame.ts'
export { variants, type VariantsOptions } from './plugin/variants-plugin.ts'
