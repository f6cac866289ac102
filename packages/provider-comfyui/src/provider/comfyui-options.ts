import { checkChoice, checkCount, checkPrice, type OutputKind, type Price } from '@genmount/core'
import type { GuardedFetchOptions } from '@genmount/guarded-fetch'
import type { HostedOptions, ModelOptions } from '@genmount/vendor-http'
import { checkWorkflow, inputPlaces } from '../workflow/check-workflow.ts'
import { inputSchema } from '../workflow/input-schema.ts'
import type { Workflow, WorkflowInput } from '../workflow/workflow.ts'

/** A model: a workflow, as the app offers it. */
export interface ComfyuiModel extends ModelOptions {
  /** The workflow in ComfyUI's API format. */
  readonly workflow: Workflow
  /** Whether the workflow makes images or videos. */
  readonly outputKind: OutputKind
  /** The inputs that clients may set, by the names that clients use. A list writes one input into several places. */
  readonly inputs: Readonly<Record<string, WorkflowInput | readonly WorkflowInput[]>>
  /** The ids of the nodes whose files are the outputs, in this order. @default all nodes that save files */
  readonly outputNodes?: readonly string[] | undefined
  /** The price in US dollars of each `priceUnit` of a job that succeeds. @default none: jobs have no known cost */
  readonly price?: Price | undefined
  /**
   * What the price counts: each `output` file, or each `second` from the start of the run to its end.
   * @default 'output'
   */
  readonly priceUnit?: 'output' | 'second' | undefined
}

/** The options of `comfyuiProvider`. */
export interface ComfyuiProviderOptions extends Omit<HostedOptions<ComfyuiModel>, 'token' | 'baseUrl'> {
  /** The address of your ComfyUI, such as `http://192.168.1.20:8188`. It may have a path. */
  readonly baseUrl: string
  /** A bearer token for a proxy in front of ComfyUI. ComfyUI itself has no tokens. @default none */
  readonly token?: string | undefined
  /**
   * The largest total size of the output files of one job, in bytes. They are held in memory.
   * @default 134217728 (128 MiB)
   */
  readonly maxOutputBytes?: number | undefined
  /**
   * After a submit whose answer was lost: how long ComfyUI and a proxy in front of it may take until the task appears
   * in the queue or the history, in milliseconds. A task that does not appear in that time is submitted again. It must
   * be less than `callTimeoutMs`.
   * @default 5000
   */
  readonly submitGraceMs?: number | undefined
  /** How long one call may take, in milliseconds. One poll downloads all outputs of a job. @default 60000 */
  readonly callTimeoutMs?: number | undefined
  /** Decides to which IP addresses the image URLs of clients may lead. @default isPublicAddress */
  readonly allowAddress?: GuardedFetchOptions['allowAddress']
}

/** Checks the limits and fills in their defaults. @throws TypeError that names the option */
export function checkLimits(options: ComfyuiProviderOptions) {
  const {
    maxOutputBytes = 128 * 1024 * 1024,
    submitGraceMs = 5000,
    callTimeoutMs = 60_000,
    allowAddress,
  } = options
  checkCount('maxOutputBytes', maxOutputBytes)
  checkCount('callTimeoutMs', callTimeoutMs)
  // A single call of `find` waits for the whole grace.
  checkCount('submitGraceMs', submitGraceMs, 0, callTimeoutMs - 1)
  if (allowAddress !== undefined && typeof allowAddress !== 'function')
    throw new TypeError('allowAddress must be a function from an IP address to a boolean.')
  return { maxOutputBytes, submitGraceMs, callTimeoutMs }
}

/** Checks the options of one model. @throws TypeError that names the option */
export function offeredModel(options: ComfyuiModel, at: string) {
  const { outputKind, inputs, outputNodes, price, priceUnit = 'output' } = options
  const workflow = checkWorkflow(`${at}.workflow`, options.workflow)
  if (outputNodes !== undefined && !Array.isArray(outputNodes))
    throw new TypeError(`${at}.outputNodes must be a list of the ids of nodes.`)
  const missing = outputNodes?.find((node) => !Object.hasOwn(workflow, node))
  if (missing !== undefined) throw new TypeError(`${at}.outputNodes: the workflow has no node '${missing}'.`)
  const places = inputPlaces(`${at}.inputs`, inputs, workflow)
  return {
    outputKind: checkChoice(`${at}.outputKind`, outputKind, ['image', 'video']),
    input: inputSchema(places),
    workflow,
    places,
    outputNodes,
    price: checkPrice(`${at}.price`, price),
    priceUnit: checkChoice(`${at}.priceUnit`, priceUnit, ['output', 'second']),
  }
}
