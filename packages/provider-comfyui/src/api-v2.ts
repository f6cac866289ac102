export type { InputType, Workflow, WorkflowInput, WorkflowNode } from './workflow/workflow.ts'
export type { ComfyApiModel, ComfyApiOptions } from './api/comfy-api-options.ts'
export { comfyApiProvider } from './api/comfy-api-provider.ts'
