import type { Json, JsonObject } from '@genmount/core'

/** A workflow in ComfyUI's API format, nodes by their ids: in ComfyUI, File > Export (API). */
export type Workflow = Readonly<Record<string, WorkflowNode>>

export interface WorkflowNode {
  readonly class_type: string
  readonly inputs: Readonly<Record<string, unknown>>
}

/** Where a field of the job's input goes in the workflow, and what clients may say there. */
export interface WorkflowInput {
  /** The node's id. */
  readonly node: string
  /** The name among the node's inputs. */
  readonly field: string
  /**
   * What clients give; an `image` is uploaded to ComfyUI.
   * @default 'image' for the image of a `LoadImage` node, 'integer' for `seed` and `num_outputs`, else the type of what
   * the workflow has there
   */
  readonly type?: InputType | undefined
  /** Whether a job must have it; if not, the workflow keeps what it has. @default `true` for `prompt` and images */
  readonly required?: boolean | undefined
  /** The least number. @default 0 for `seed`, 1 for `num_outputs`, else none */
  readonly min?: number | undefined
  /** The greatest number. @default 4294967295 for `seed`, else none */
  readonly max?: number | undefined
  /** The only texts or numbers that are taken. @default any of the type */
  readonly choices?: readonly (string | number)[] | undefined
  /** What the workflow gets for what the client said. @default the same */
  readonly value?: ((given: Json) => Json) | undefined
}

export const inputTypes = ['text', 'number', 'integer', 'boolean', 'image'] as const
export type InputType = (typeof inputTypes)[number]

/** What ComfyUI's `LoadImage` reads everywhere. */
export const pictureTypes = ['png', 'jpeg', 'webp', 'gif'] as const

/** The places of each input; the first of them says what clients may give. */
export type InputPlaces = ReadonlyMap<string, readonly [WorkflowInput, ...WorkflowInput[]]>

/**
 * The workflow with the input in it. What the input does not name stays as it is.
 * @returns `undefined` when the app's own function fails: to throw would mean that the task may have been taken on
 */
export function filledWorkflow(
  workflow: Workflow,
  places: InputPlaces,
  input: JsonObject,
): Workflow | undefined {
  const filled = structuredClone(workflow) as Record<string, { inputs: Record<string, unknown> }>
  for (const [name, targets] of places) {
    const given = input[name]
    if (given === undefined) continue
    try {
      for (const { node, field, value } of targets) filled[node]!.inputs[field] = value ? value(given) : given
    } catch {
      return undefined
    }
  }
  return filled as unknown as Workflow
}
