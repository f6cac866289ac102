import type { OutputKind } from '@genmount/core'
import type { Workflow } from '@genmount/provider-comfyui'
import { textToImage as workflowWith } from '../../../packages/cli/src/vendors/text-to-image.ts'

/** `(number, prompt_id, prompt, extra_data, outputs_to_execute)`: ComfyUI server.py, post_prompt. */
export type QueueItem = readonly [number, string, Workflow, object, readonly string[]]

/** ComfyUI execution.py, PromptQueue.task_done. */
export interface HistoryEntry {
  readonly prompt: QueueItem
  readonly outputs: Readonly<Record<string, unknown>>
  readonly status: {
    readonly status_str: string
    readonly completed: boolean
    readonly messages: readonly (readonly [string, object])[]
  } | null
  readonly meta?: object
}

const checkpoints = ['v1-5-pruned-emaonly.safetensors', 'sd_xl_base_1.0.safetensors'] as const

/** A text-to-image workflow in the nodes of ComfyUI's own example. */
export const textToImage: Workflow = workflowWith(checkpoints[0])

/**
 * A workflow that makes a film from a picture: nodes `LoadImage` of nodes.py and `SaveVideo` of
 * comfy_extras/nodes_video.py.
 */
export const imageToVideo: Workflow = {
  '1': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
  '2': { class_type: 'CLIPTextEncode', inputs: { clip: ['4', 1], text: '' } },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: checkpoints[0] } },
  '5': { class_type: 'WanImageToVideo', inputs: { length: 81, start_image: ['1', 0] } },
  '9': {
    class_type: 'SaveVideo',
    inputs: { filename_prefix: 'video/ComfyUI', format: 'auto', video: ['5', 0] },
  },
}

/** The body of a 400 of `POST /prompt`: ComfyUI execution.py, validate_prompt and validate_inputs. */
export function rejectionOf(
  prompt: Workflow,
  inputFiles: ReadonlyMap<string, unknown>,
): { readonly error: object; readonly node_errors: object } | undefined {
  const nodes = Object.entries(prompt)
  const unknown = nodes.find(([, { class_type }]) => class_type.startsWith('Unknown'))
  if (unknown) {
    const [id, { class_type }] = unknown
    const message = `Cannot execute because node ${class_type} does not exist.`
    return { error: error('invalid_prompt', message, `Node ID '#${id}'`), node_errors: {} }
  }
  const faults = nodes.flatMap(([id, { class_type, inputs }]) => {
    const fault = nodeFault(inputs, inputFiles)
    return fault ? [[id, { errors: [fault], dependent_outputs: ['9'], class_type }] as const] : []
  })
  if (faults.length === 0) return undefined
  const failed = error('prompt_outputs_failed_validation', 'Prompt outputs failed validation', '')
  return { error: failed, node_errors: Object.fromEntries(faults) }
}

function nodeFault(
  { ckpt_name, steps, image, audio }: Readonly<Record<string, unknown>>,
  inputFiles: ReadonlyMap<string, unknown>,
): object | undefined {
  if (ckpt_name !== undefined && !(checkpoints as readonly unknown[]).includes(ckpt_name)) {
    const details = `ckpt_name: '${String(ckpt_name)}' not in ${JSON.stringify(checkpoints).replaceAll('"', "'")}`
    return error('value_not_in_list', 'Value not in list', details)
  }
  if (typeof steps === 'number' && steps < 1)
    return error('value_smaller_than_min', `Value ${steps} smaller than min of 1`, 'steps')
  for (const [kind, name] of Object.entries({ audio, image }))
    if (typeof name === 'string' && !inputFiles.has(name)) {
      const details = `${kind} - Invalid ${kind} file: ${name}`
      return error('custom_validation_failed', 'Custom validation failed for node', details)
    }
  return undefined
}

function error(type: string, message: string, details: string): object {
  return { type, message, details, extra_info: {} }
}

/**
 * What a run leaves in the history; `save` puts its files on the disk. SaveImage writes `{prefix}_{00001}_.png`,
 * SaveVideo lists its films under `images` with `animated`: nodes.py, comfy_extras/nodes_video.py and comfy_api ui.
 */
export function historyEntry(
  item: QueueItem,
  interrupted: boolean,
  save: (name: string, kind: OutputKind) => void,
): HistoryEntry {
  const [number, prompt_id, prompt] = item
  const at = 1_760_000_000_000
  const started = ['execution_start', { prompt_id, timestamp: at }] as const
  if (interrupted) {
    const data = { prompt_id, node_id: '3', node_type: 'KSampler', executed: [], timestamp: at + 700 }
    const messages = [started, ['execution_interrupted', data] as const]
    return {
      prompt: item,
      outputs: {},
      status: { status_str: 'error', completed: false, messages },
      meta: {},
    }
  }
  const isVideo = prompt['9']?.class_type === 'SaveVideo'
  const count = isVideo ? 1 : Number(prompt['5']?.inputs['batch_size'] ?? 1)
  const files = Array.from({ length: count }, (_none, index) => {
    const filename = isVideo ? `ComfyUI_${number}_.mp4` : `ComfyUI_${number}_${index}_.png`
    save(filename, isVideo ? 'video' : 'image')
    return { filename, subfolder: isVideo ? 'video' : '', type: 'output' }
  })
  const preview = { filename: 'ComfyUI_temp_abcde_00001_.png', subfolder: '', type: 'temp' }
  return {
    prompt: item,
    outputs: { '9': { images: files, ...(isVideo && { animated: [true] }) }, '12': { images: [preview] } },
    status: {
      status_str: 'success',
      completed: true,
      messages: [
        started,
        ['execution_cached', { nodes: [], prompt_id, timestamp: at + 1 }],
        ['execution_success', { prompt_id, timestamp: at + 2500 }],
      ],
    },
    meta: { '9': { node_id: '9', display_node: '9', parent_node: null, real_node_id: '9' } },
  }
}

/** A run that a node ended: execution.py, handle_execution_error. */
export function failedEntry({ prompt }: HistoryEntry): HistoryEntry {
  const data = {
    prompt_id: prompt[1],
    node_id: '3',
    node_type: 'KSampler',
    executed: ['4'],
    exception_message: 'Allocation on device 0 would exceed allowed memory.\n',
    exception_type: 'torch.OutOfMemoryError',
    traceback: ['  File "/home/me/ComfyUI/execution.py", line 496, in execute\n'],
    current_inputs: { positive: ['a secret prompt'] },
    current_outputs: ['4'],
    timestamp: 1_760_000_001_000,
  }
  const messages = [
    ['execution_start', { prompt_id: prompt[1], timestamp: 1_760_000_000_000 }],
    ['execution_error', data],
  ] as const
  return { prompt, outputs: {}, status: { status_str: 'error', completed: false, messages } }
}
