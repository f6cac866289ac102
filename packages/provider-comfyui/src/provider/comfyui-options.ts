import { checkChoice, checkCount, checkPrice, type OutputKind, type Price } from '@genmount/core'
import type { GuardedFetchOptions } from '@genmount/guarded-fetch'
import type { HostedOptions, ModelOptions } from '@genmount/vendor-http'
import { checkWorkflow, inputPlaces } from '../workflow/check-workflow.ts'
import { inputSchema } from '../workflow/input-schema.ts'
import type { Workflow, WorkflowInput } from '../workflow/workflow.ts'

/** A workflow, as the app offers it. */
export interface ComfyuiModel extends ModelOptions {
  readonly workflow: Workflow
  readonly outputKind: OutputKind
  /** What clients may set, by the names that they use. A list puts one input into several places. */
  readonly inputs: Readonly<Record<string, WorkflowInput | readonly WorkflowInput[]>>
  /** The nodes whose files are the outputs, in this order. @default every node that saves files */
  readonly outputNodes?: readonly string[] | undefined
  /** US dollars for each `priceUnit` of a job that succeeds. @default no cost is told */
  readonly price?: Price | undefined
  /** A file that is put out, or a `second` from the start of the run to its end. @default 'output' */
  readonly priceUnit?: 'output' | 'second' | undefined
}

export interface ComfyuiProviderOptions extends Omit<HostedOptions<ComfyuiModel>, 'token' | 'baseUrl'> {
  /** The ComfyUI of yours, such as `http://192.168.1.20:8188`; a path is kept. */
  readonly baseUrl: string
  /** A bearer token for a proxy in front of ComfyUI, which knows none itself. @default none */
  readonly token?: string | undefined
  /** How much the files of one job may have together, in bytes; they go through memory. @default 134217728 (128 MiB) */
  readonly maxOutputBytes?: number | undefined
  /**
   * How long ComfyUI, and what stands before it, may take from the end of a broken submit until the task shows, in
   * milliseconds. A task that does not show by then is submitted again. @default 5000
   */
  readonly submitGraceMs?: number | undefined
  /** How long one call may take, in milliseconds, the fetching of all outputs included. @default 60000 */
  readonly callTimeoutMs?: number | undefined
  /** Which addresses the image URLs of clients may lead to. @default public ones */
  readonly allowAddress?: GuardedFetchOptions['allowAddress']
}

/** The limits, filled in. @throws TypeError that names the option */
export function checkLimits(options: ComfyuiProviderOptions) {
  const {
    maxOutputBytes = 128 * 1024 * 1024,
    submitGraceMs = 5000,
    callTimeoutMs = 60_000,
    allowAddress,
  } = options
  checkCount('maxOutputBytes', maxOutputBytes)
  checkCount('callTimeoutMs', callTimeoutMs)
  // The grace is waited within a call.
  checkCount('submitGraceMs', submitGraceMs, 0, callTimeoutMs - 1)
  if (allowAddress !== undefined && typeof allowAddress !== 'function')
    throw new TypeError('allowAddress must be a function from an IP address to a boolean.')
  return { maxOutputBytes, submitGraceMs, callTimeoutMs }
}

/** @throws TypeError that names the option */
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
