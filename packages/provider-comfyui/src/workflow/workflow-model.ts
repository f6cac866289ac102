import {
  type CheckedOptions,
  checkObject,
  listOf,
  type Model,
  optional,
  type OptionTable,
  text,
} from '@genmount/core'
import { modelInput } from '@genmount/provider-kit'
import { checkWorkflow } from './check-workflow.ts'
import { inputPlaces } from './input-places.ts'
import type { InputPlaces, Workflow, WorkflowInput } from './workflow.ts'
import { workflowInput } from './workflow-input.ts'

/** The options of a model that is a workflow. */
export interface WorkflowOptions {
  /** The workflow in ComfyUI's API format. */
  readonly workflow: Workflow
  /** The inputs that clients may set, by the names that clients use. A list writes one input into several places. */
  readonly inputs: Readonly<Record<string, WorkflowInput | readonly WorkflowInput[]>>
  /** The ids of the nodes whose files are the outputs, in this order. @default all nodes that save files */
  readonly outputNodes?: readonly string[] | undefined
}

/** The checks of the {@link WorkflowOptions}, for the table of the options of a provider's models. */
export const workflowOptions = {
  /** Checks `workflow`. */
  workflow: checkWorkflow,
  /** Checks `inputs`, as far as this can be done without the workflow. */
  inputs: (name, inputs) => checkObject(name, inputs, " such as { prompt: { node: '6', field: 'text' } }"),
  /** Checks `outputNodes`. */
  outputNodes: optional(listOf('a list of the ids of nodes', text())),
} satisfies OptionTable<WorkflowOptions>

/** What a provider needs of such a model. */
export interface WorkflowModel {
  /** The places of each input, for `filledWorkflow`. */
  readonly places: InputPlaces
  /** What clients may give, with its JSON Schema. */
  readonly input: Model['input']
}

/**
 * Makes the input of a model from its checked options.
 * @param at the option that holds the model, for error messages
 * @throws TypeError that names the option, when it names a place that the workflow does not have
 */
export function workflowModel(at: string, options: CheckedOptions<typeof workflowOptions>): WorkflowModel {
  const { workflow, inputs, outputNodes } = options
  const missing = outputNodes?.find((node) => !Object.hasOwn(workflow, node))
  if (missing !== undefined) throw new TypeError(`${at}.outputNodes: the workflow has no node '${missing}'.`)
  const places = inputPlaces(`${at}.inputs`, inputs, workflow)
  return { places, input: modelInput(workflowInput(places)) }
}
