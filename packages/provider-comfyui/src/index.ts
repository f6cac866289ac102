export type { InputType, Workflow, WorkflowInput, WorkflowNode } from '@genmount/comfyui-workflow'
export type { ComfyuiModel, ComfyuiProviderOptions } from './provider/comfyui-options.ts'
export { comfyuiProvider } from './provider/comfyui-provider.ts'
