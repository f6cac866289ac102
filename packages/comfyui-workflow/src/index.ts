export { filledWorkflow, seedFor } from './workflow/filled-workflow.ts'
export { inputFiles, type InputFiles } from './workflow/input-files.ts'
export {
  type WorkflowModel,
  workflowModel,
  type WorkflowOptions,
  workflowOptions,
} from './workflow/workflow-model.ts'
export type { InputPlaces, InputType, Workflow, WorkflowInput, WorkflowNode } from './workflow/workflow.ts'
