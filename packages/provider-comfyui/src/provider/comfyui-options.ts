import { checkCount, checkPrice, type OutputKind, type Price } from '@genmount/core'
import type { GuardedFetchOptions } from '@genmount/guarded-fetch'
import { checkWorkflow, inputPlaces } from '../workflow/check-workflow.ts'
import type { InputPlaces, Workflow, WorkflowInput } from '../workflow/workflow.ts'

/** A workflow under the name of a model. */
export interface ComfyuiModel {
  readonly workflow: Workflow
  readonly outputKind: OutputKind
  /** What clients may set, by the names that they use. A list puts one input into several places. */
  readonly inputs: Readonly<Record<string, WorkflowInput | readonly WorkflowInput[]>>
  /** The nodes whose files are the outputs, in this order. @default every node that saves files */
  readonly outputNodes?: readonly string[] | undefined
  /** US dollars for each unit of a job that succeeds. @default no cost */
  readonly price?: Price | undefined
  /** What `price` counts: files, or seconds from the start of the run to its end. @default 'output' */
  readonly priceUnit?: 'output' | 'second' | undefined
  /** How long a job usually takes, in milliseconds. */
  readonly typicalMs?: number | undefined
  /** Whole days. @default the service's */
  readonly retentionDays?: number | undefined
}

export interface ComfyuiProviderOptions {
  /** The ComfyUI of yours, such as `http://192.168.1.20:8188`; a path is kept. */
  readonly baseUrl: string
  /** The models by their public ids. */
  readonly models: Readonly<Record<string, ComfyuiModel>>
  /** A bearer token for a proxy in front of ComfyUI, which knows none itself. @default none */
  readonly token?: string | undefined
  /** Sent with every request to ComfyUI. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined
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

/** A model, checked and with its inputs located. */
export interface CheckedModel extends Omit<ComfyuiModel, 'inputs'> {
  readonly places: InputPlaces
}

/** @throws TypeError that names the option */
export function checkOptions(options: ComfyuiProviderOptions): ReadonlyMap<string, CheckedModel> {
  const {
    baseUrl,
    models,
    maxOutputBytes = 1,
    submitGraceMs = 5000,
    callTimeoutMs = 60_000,
    allowAddress,
  } = options
  if (URL.parse(baseUrl)?.username)
    throw new TypeError('baseUrl must not hold a user name: give headers: { authorization }.')
  checkCount('maxOutputBytes', maxOutputBytes, 1)
  checkCount('callTimeoutMs', callTimeoutMs, 1)
  // The grace is waited within a call.
  checkCount('submitGraceMs', submitGraceMs, 0, callTimeoutMs - 1)
  if (allowAddress !== undefined && typeof allowAddress !== 'function')
    throw new TypeError('allowAddress must be a function from an IP address to a boolean.')
  const checked = Object.entries(models ?? {}).map(
    ([id, model]) => [id, checkModel(`models['${id}']`, model)] as const,
  )
  if (checked.length === 0) throw new TypeError('models must have at least one model.')
  return new Map(checked)
}

function checkModel(name: string, { inputs, ...model }: ComfyuiModel): CheckedModel {
  const { outputKind, outputNodes = [], priceUnit = 'output' } = model
  if (outputKind !== 'image' && outputKind !== 'video')
    throw new TypeError(`${name}.outputKind must be 'image' or 'video'.`)
  const workflow = checkWorkflow(`${name}.workflow`, model.workflow)
  const missing = outputNodes.find((node) => !Object.hasOwn(workflow, node))
  if (missing !== undefined)
    throw new TypeError(`${name}.outputNodes: the workflow has no node '${missing}'.`)
  checkPrice(`${name}.price`, model.price)
  if (priceUnit !== 'output' && priceUnit !== 'second')
    throw new TypeError(`${name}.priceUnit must be 'output' or 'second'.`)
  return { ...model, workflow, places: inputPlaces(`${name}.inputs`, inputs, workflow) }
}
