import {
  callable,
  checkOptions,
  checkPrice,
  choice,
  count,
  flag,
  type JsonObject,
  optional,
  type OptionTable,
  type OutputKind,
  type Price,
  shownPrice,
  text,
} from '@genmount/core'
import type { AllowAddress } from '@genmount/guarded-fetch'
import { workflowModel, type WorkflowOptions, workflowOptions } from '@genmount/provider-comfyui/workflow'
import {
  fixedParameters,
  type HostedOptions,
  hostedOptions,
  type ModelOptions,
  modelOptions,
  offerModels,
  openModel,
  type OpenModelOptions,
  openModelOptions,
  recordOf,
  type VendorFields,
} from '@genmount/provider-kit'

/** How Runpod runs the tasks of a model, in Runpod's own words. */
export interface RunpodPolicy {
  /**
   * How long a task may be worked on, in milliseconds: 5000 to 604800000 (7 days). Runpod stops a task that takes longer.
   * @default that of the endpoint, which is 600000 (10 minutes) unless it is changed
   */
  readonly executionTimeout?: number | undefined
  /**
   * How long a task may exist, in milliseconds: 10000 to 604800000 (7 days). The time in the queue counts. Runpod deletes
   * a task that is older, also if it runs.
   * @default 86400000 (24 hours)
   */
  readonly ttl?: number | undefined
  /** Whether the task starts no further workers. @default false */
  readonly lowPriority?: boolean | undefined
}

/** What is the same for all models of Runpod. */
interface OnRunpod {
  /** The id of the endpoint: what follows `/v2/` in its address. @example 'wan-2-6-t2v' */
  readonly endpoint: string
  /**
   * The price in US dollars of each `priceUnit`. It counts unless the endpoint says in `output.cost` what a task has cost,
   * as the public endpoints do.
   * @default none: without `output.cost`, jobs have no known cost
   */
  readonly price?: Price | undefined
  /**
   * What the price counts: each `output` file, or each `second` for which a worker has worked on the task (`executionTime`).
   * @default 'output'
   */
  readonly priceUnit?: 'output' | 'second' | undefined
  /** How Runpod runs the tasks. @default as the endpoint is configured */
  readonly policy?: RunpodPolicy | undefined
}

/** A model: a serverless endpoint, as the app offers it. */
export interface RunpodEndpoint extends OpenModelOptions, OnRunpod {
  /**
   * Which fields of the interface the endpoint has, and how its worker calls them.
   * @default only `prompt`
   * @example { image: 'image', resolution: 'size', seed: 'seed' }
   */
  readonly fields?: VendorFields | undefined
  /**
   * Parameters of every task, as the worker names them. They win over the client's values, and a field of the interface that
   * would set the same parameter is refused.
   * @default none
   * @example { output_format: 'png' }
   */
  readonly providerOptions?: JsonObject | undefined
  /**
   * The place of the files in the `output` of the endpoint, if the output has other files as well.
   * @default the files are looked for in the whole output
   * @example 'result.videos'
   */
  readonly outputField?: string | undefined
}

/** A model: a workflow of ComfyUI on an endpoint with worker-comfyui. */
export interface RunpodWorkflow extends ModelOptions, OnRunpod, Pick<WorkflowOptions, 'workflow' | 'inputs'> {
  /** Whether the workflow makes images or videos. */
  readonly outputKind: OutputKind
}

/** A model of `runpodProvider`. One with a `workflow` runs on worker-comfyui. */
export type RunpodModel = RunpodEndpoint | RunpodWorkflow

/** The options of `runpodProvider`. */
export interface RunpodProviderOptions extends HostedOptions<RunpodModel> {
  /**
   * Decides to which IP addresses the URLs of pictures may lead that are sent to worker-comfyui.
   * @default isPublicAddress
   */
  readonly allowAddress?: AllowAddress | undefined
}

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

/** An id of at most 100 characters. It becomes a part of paths. */
export const endpointId = /^[a-z\d][\w.-]{0,99}$/i

const weekMs = 7 * 24 * 60 * 60_000

/** https://docs.runpod.io/serverless/endpoints/send-requests#execution-policies, as of August 2026. */
const policyTable = {
  executionTimeout: optional(count(5000, weekMs)),
  ttl: optional(count(10_000, weekMs)),
  lowPriority: optional(flag),
} satisfies OptionTable<RunpodPolicy>

const onRunpod = {
  endpoint: text('the id of an endpoint of Runpod, such as wan-2-6-t2v', endpointId),
  price: checkPrice,
  priceUnit: optional(choice('output', 'second'), 'output'),
  policy: optional((name, value) => checkOptions(name, value, policyTable)),
} satisfies OptionTable<OnRunpod>

const endpointTable = {
  ...openModelOptions,
  ...onRunpod,
  providerOptions: fixedParameters("{ output_format: 'png' }", ['prompt']),
  outputField: optional(text('a place such as result.videos', /^[\w-]+(?:\.[\w-]+)*$/)),
} satisfies OptionTable<RunpodEndpoint>

const { workflow, inputs } = workflowOptions

const workflowTable = {
  ...modelOptions,
  ...onRunpod,
  outputKind: choice('image', 'video'),
  workflow,
  inputs,
} satisfies OptionTable<RunpodWorkflow>

/** Workers ignore what they do not know, so that a field must be asked for. */
const onlyPrompt: VendorFields = {
  negative_prompt: false,
  image: false,
  aspect_ratio: false,
  resolution: false,
  seed: false,
  num_outputs: false,
  duration: false,
  fps: false,
}

function offeredModel(options: RunpodModel, at: string) {
  return hasWorkflow(options) ? workflowEntry(options, at) : endpointEntry(options, at)
}

function hasWorkflow(options: RunpodModel): options is RunpodWorkflow {
  return recordOf(options)['workflow'] !== undefined
}

function endpointEntry(options: RunpodEndpoint, at: string) {
  const checked = checkOptions(at, options, endpointTable)
  const { providerOptions: fixed, outputField } = checked
  const names = Object.keys(fixed)
  const { input, vendorInput } = openModel(at, checked, { usual: onlyPrompt, reserved: names, fixed: names })
  return {
    ...entryOf(checked),
    input,
    outputField,
    workflow: undefined,
    /** Translates the input for the worker. @returns `undefined` when it can't be translated */
    workerInput(jobInput: JsonObject): JsonObject | undefined {
      const translated = vendorInput(jobInput)
      return translated && { ...translated, ...fixed }
    },
  }
}

function workflowEntry(options: RunpodWorkflow, at: string) {
  const checked = checkOptions(at, options, workflowTable)
  const { input, places } = workflowModel(at, { ...checked, outputNodes: undefined })
  return {
    ...entryOf(checked),
    input,
    /** worker-comfyui has its files there. */
    outputField: undefined,
    workflow: { nodes: checked.workflow, places },
  }
}

type CheckedModel = Readonly<
  Pick<RunpodWorkflow, 'endpoint' | 'outputKind' | 'price' | 'policy'> & Required<Pick<OnRunpod, 'priceUnit'>>
>

function entryOf({ endpoint, outputKind, price, priceUnit, policy }: CheckedModel) {
  return {
    endpoint,
    outputKind,
    price,
    priceUnit,
    policy,
    shownPrice: shownPrice(price, priceUnit === 'second' ? 'second of computing' : 'output'),
  }
}

const table = {
  ...hostedOptions('RUNPOD_API_KEY', 'https://api.runpod.ai/v2'),
  models: offerModels(offeredModel),
  allowAddress: optional(callable<AllowAddress>('isPublicAddress')),
} satisfies OptionTable<RunpodProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkRunpodOptions(options: RunpodProviderOptions) {
  return checkOptions('runpodProvider', options, table)
}
