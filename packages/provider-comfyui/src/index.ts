export { comfyuiProvider } from './provider/comfyui-provider.ts'
export type { ComfyuiModel, ComfyuiProviderOptions } from './provider/comfyui-options.ts'
export type { InputType, Workflow, WorkflowInput, WorkflowNode } from './workflow/workflow.ts'
