export type { InputType, Workflow, WorkflowInput, WorkflowNode } from './workflow/workflow.ts'
export type { ComfyuiModel, ComfyuiProviderOptions } from './provider/comfyui-options.ts'
export { comfyuiProvider } from './provider/comfyui-provider.ts'
