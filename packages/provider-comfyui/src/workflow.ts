export { fileName, filesInInput, type InputFile, withFileNames } from './workflow/file-names.ts'
export { filledWorkflow, seedFor } from './workflow/filled-workflow.ts'
export type { InputFiles } from './workflow/input-files.ts'
export type { InputPlaces, InputType, Workflow, WorkflowInput, WorkflowNode } from './workflow/workflow.ts'
export {
  workflowModel,
  type WorkflowModel,
  type WorkflowOptions,
  workflowOptions,
} from './workflow/workflow-model.ts'
