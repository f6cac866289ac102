import type { Json } from '@genmount/core'

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
   * The type that clients give. An `image`, a `video` or an `audio` is uploaded to ComfyUI. `images` and `videos` are
   * lists: the first file goes to the first place of the input, the second to the second, and so on.
   * @default 'image' for the image of a `LoadImage` node, 'video' for the file of a `LoadVideo` node, 'audio' for the
   *   audio of a `LoadAudio` node, 'images' and 'videos' for these when the input is called `reference_images` or
   *   `reference_videos`, 'integer' for `seed` and `num_outputs`, else the type of the value in the workflow
   */
  readonly type?: InputType | undefined
  /**
   * Whether a job must have this input. If a job leaves it out, the value in the workflow stays.
   * @default true for `prompt` and files, false for lists of files and all others
   */
  readonly required?: boolean | undefined
  /** The smallest number. @default 0 for `seed`, 1 for `num_outputs`, else no limit */
  readonly min?: number | undefined
  /** The largest number. @default 4294967295 for `seed`, else no limit */
  readonly max?: number | undefined
  /** The texts or numbers that are accepted. @default every value of the type */
  readonly choices?: readonly (string | number)[] | undefined
  /**
   * Turns the client's value into the value for the workflow; for a file, the function gets the file's name in ComfyUI.
   * @default the client's value
   */
  readonly value?: ((value: Json) => Json) | undefined
}

/** The types of inputs that clients can give. */
export type InputType =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'image'
  | 'video'
  | 'audio'
  | 'images'
  | 'videos'

/** The places of each input. The first place of an input decides what clients may give. */
export type InputPlaces = ReadonlyMap<string, readonly [WorkflowInput, ...WorkflowInput[]]>
