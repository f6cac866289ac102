export { openaiInterface } from './interface/openai-interface.ts'
export type { OpenaiInterfaceOptions } from './interface/openai-options.ts'
export type { FurtherInterface } from '@genmount/v1-interface'
