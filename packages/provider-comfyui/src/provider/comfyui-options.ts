import { workflowModel, type WorkflowOptions, workflowOptions } from '../workflow/workflow-model.ts'
import {
  callable,
  type Check,
  checkBaseUrl,
  checkOptions,
  checkPrice,
  choice,
  count,
  optional,
  type OptionTable,
  type OutputKind,
  type Price,
  shownPrice,
} from '@genmount/core'
import type { AllowAddress } from '@genmount/guarded-fetch'
import {
  type HostedOptions,
  type ModelOptions,
  modelOptions,
  offerModels,
  serverOptions,
} from '@genmount/provider-kit'

/** A model: a workflow, as the app offers it. */
export interface ComfyuiModel extends ModelOptions, WorkflowOptions {
  /** Whether the workflow makes images or videos. */
  readonly outputKind: OutputKind
  /** The price in US dollars of each `priceUnit` of a job that succeeds. @default 0: jobs cost nothing */
  readonly price?: Price | undefined
  /**
   * What the price counts: each `output` file, or each `second` from the start of the run to its end.
   * @default 'output'
   */
  readonly priceUnit?: 'output' | 'second' | undefined
}

/** The options of `comfyuiProvider`. */
export interface ComfyuiProviderOptions extends Omit<HostedOptions<ComfyuiModel>, 'token' | 'baseUrl'> {
  /**
   * The address of your ComfyUI, such as `http://192.168.1.20:8188`. It may have a path. Comfy's cloud is for `comfyApiProvider`.
   */
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
  /**
   * How ComfyUI makes previews: a value of its own `--preview-method`, or `default` for what it was started with.
   * @default 'auto', which takes next to no time
   */
  readonly previewMethod?: 'auto' | 'latent2rgb' | 'taesd' | 'none' | 'default' | undefined
  /** Decides to which IP addresses the image URLs of clients may lead. @default isPublicAddress */
  readonly allowAddress?: AllowAddress | undefined
}

const modelTable = {
  ...modelOptions,
  ...workflowOptions,
  outputKind: choice('image', 'video'),
  price: checkPrice,
  priceUnit: optional(choice('output', 'second'), 'output'),
} satisfies OptionTable<ComfyuiModel>

function offeredModel(options: ComfyuiModel, at: string) {
  const checked = checkOptions(at, options, modelTable)
  const { price, priceUnit } = checked
  const priceWords = shownPrice(price, priceUnit === 'second' ? 'second of computing' : 'output')
  return { ...checked, ...workflowModel(at, checked), shownPrice: priceWords }
}

/**
 * The hosts of Comfy's Cloud, Router and Deployments (docs.comfy.org, read in November 2026). They take no prompt id of
 * ours and answer other shapes, so that a run there would be billed and never found.
 */
const cloudHost = /(?:^|\.)(?:comfy\.org|comfy\.app|comfy\.com)\.?$/

const checkOwnServer: Check<string> = (name, value) => {
  const url = checkBaseUrl(name, value)
  const { hostname } = new URL(url)
  if (!cloudHost.test(hostname)) return url
  throw new TypeError(
    `${name} must be the address of your own ComfyUI. For Comfy's cloud at ${hostname}, use comfyApiProvider of @genmount/provider-comfyui/api-v2.`,
  )
}

const table = {
  ...serverOptions(),
  baseUrl: checkOwnServer,
  models: offerModels(offeredModel),
  maxOutputBytes: optional(count(), 128 * 1024 * 1024),
  callTimeoutMs: optional(count(), 60_000),
  submitGraceMs: optional(count(0), 5000),
  previewMethod: optional(choice('auto', 'latent2rgb', 'taesd', 'none', 'default'), 'auto'),
  allowAddress: optional(callable<AllowAddress>('isPublicAddress')),
} satisfies OptionTable<ComfyuiProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkComfyuiOptions(options: ComfyuiProviderOptions) {
  const checked = checkOptions('comfyuiProvider', options, table)
  // A single call of `find` waits for the whole grace.
  count(0, checked.callTimeoutMs - 1)('comfyuiProvider: submitGraceMs', checked.submitGraceMs)
  return checked
}
