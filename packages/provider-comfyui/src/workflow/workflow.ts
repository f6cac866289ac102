import type { Json, JsonObject } from '@genmount/core'

/** A workflow in ComfyUI's API format: its nodes, by their ids. In ComfyUI, use File > Export (API). */
export type Workflow = Readonly<Record<string, WorkflowNode>>

/** A node of a workflow. */
export interface WorkflowNode {
  /** ComfyUI's name for the kind of node, such as `KSampler`. */
  readonly class_type: string
  /** The node's inputs: values, or `[node id, output index]` for a connection to another node. */
  readonly inputs: Readonly<Record<string, unknown>>
}

/** The place in the workflow where an input of the job goes, and what clients may give for it. */
export interface WorkflowInput {
  /** The id of the node. */
  readonly node: string
  /** The name of the node's input. */
  readonly field: string
  /**
   * The type that clients give. An `image` or a `video` is uploaded to ComfyUI.
   * @default 'image' for the image of a `LoadImage` node, 'video' for the file of a `LoadVideo` node, 'integer' for `seed` and `num_outputs`, else the type of the
   *   value in the workflow
   */
  readonly type?: InputType | undefined
  /**
   * Whether a job must have this input. If a job leaves it out, the value in the workflow stays.
   * @default true for `prompt`, images and films, else false
   */
  readonly required?: boolean | undefined
  /** The smallest number. @default 0 for `seed`, 1 for `num_outputs`, else no limit */
  readonly min?: number | undefined
  /** The largest number. @default 4294967295 for `seed`, else no limit */
  readonly max?: number | undefined
  /** The texts or numbers that are accepted. @default every value of the type */
  readonly choices?: readonly (string | number)[] | undefined
  /** Turns the client's value into the value for the workflow. @default the client's value */
  readonly value?: ((given: Json) => Json) | undefined
}

/** The types of inputs that clients can give. */
export type InputType = 'text' | 'number' | 'integer' | 'boolean' | 'image' | 'video'

export const inputTypes: readonly InputType[] = ['text', 'number', 'integer', 'boolean', 'image', 'video']

/** The files that ComfyUI's `LoadImage` and `LoadVideo` can read on every system. */
export const fileTypes = { image: ['png', 'jpeg', 'webp', 'gif'], video: ['mp4'] } as const

/** The types of the files that clients give for an input; `undefined` where it is no file. */
export function fileTypesOf({ type }: WorkflowInput) {
  return type === 'image' || type === 'video' ? fileTypes[type] : undefined
}

/** The places of each input. The first place of an input says what clients may give. */
export type InputPlaces = ReadonlyMap<string, readonly [WorkflowInput, ...WorkflowInput[]]>

/**
 * A copy of the workflow with the input written into it. Places whose input is not given keep their values.
 * @returns `undefined` when a `value` function of the app fails. It does not throw, because a throw during a submit
 *   means that ComfyUI may have accepted the task
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
