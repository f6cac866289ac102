import {
  callable,
  checkFileFetch,
  checkOptions,
  checkPriceOrUnknown,
  choice,
  type FileFetch,
  optional,
  type OptionTable,
  type OutputKind,
  type Price,
  shownPrice,
  text,
} from '@genmount/core'
import { type AllowAddress, guardedFetch } from '@genmount/guarded-fetch'
import {
  type HostedOptions,
  hostedOptions,
  type ModelOptions,
  modelOptions,
  offerModels,
  serverOptions,
} from '@genmount/provider-kit'
import { workflowModel, type WorkflowOptions, workflowOptions } from '../workflow/workflow-model.ts'

/** A model: a workflow, as the app offers it. */
export interface ComfyApiModel extends ModelOptions, WorkflowOptions {
  /** Whether the workflow makes images or videos. */
  readonly outputKind: OutputKind
  /** The price in US dollars of each `priceUnit` of a job that succeeds. With `'unknown'` jobs have no known cost. @default 'unknown' */
  readonly price?: Price | 'unknown' | undefined
  /**
   * What the price counts: each `output` file, or each `second` from the start of the run to its end.
   * @default 'output'
   */
  readonly priceUnit?: 'output' | 'second' | undefined
}

/** The options of `comfyApiProvider`. */
export interface ComfyApiOptions extends Omit<HostedOptions<ComfyApiModel>, 'token'> {
  /**
   * The API key of Comfy, or the bearer token of a proxy of your own. It is sent only to the origin of `baseUrl`, and never
   * shown or logged.
   * @default none; Comfy's own hosts need one
   */
  readonly token?: string | undefined
  /**
   * The key with which Comfy bills the partner nodes of a workflow. It is a part of each request to `baseUrl`, so leave it out for
   * a server that others run.
   * @default workflows with partner nodes are refused
   */
  readonly partnerNodesKey?: string | undefined
  /** Fetches outputs to which Comfy redirects, without the key. @default guardedFetch */
  readonly fetchFile?: FileFetch | undefined
  /** Decides to which IP addresses the image URLs of clients may lead. @default isPublicAddress */
  readonly allowAddress?: AllowAddress | undefined
}

const modelTable = {
  ...modelOptions,
  ...workflowOptions,
  outputKind: choice('image', 'video'),
  price: checkPriceOrUnknown,
  priceUnit: optional(choice('output', 'second'), 'output'),
} satisfies OptionTable<ComfyApiModel>

function offeredModel(options: ComfyApiModel, at: string) {
  const checked = checkOptions(at, options, modelTable)
  const { price, priceUnit } = checked
  const priceWords = shownPrice(price, priceUnit === 'second' ? 'second of computing' : 'output')
  return {
    ...checked,
    ...workflowModel(at, checked),
    isCostKnown: price !== undefined,
    shownPrice: priceWords,
  }
}

const { baseUrl, ...others } = hostedOptions('COMFY_API_KEY', 'https://cloud.comfy.org')

const table = {
  ...others,
  baseUrl,
  token: serverOptions().token,
  models: offerModels(offeredModel),
  partnerNodesKey: optional(text('an API key: a text of visible ASCII characters', /^[\x21-\x7e]+$/)),
  fetchFile: optional(checkFileFetch, guardedFetch),
  allowAddress: optional(callable<AllowAddress>('isPublicAddress')),
} satisfies OptionTable<ComfyApiOptions>

/** The hosts of Comfy, which take no request without a key. */
const comfyHost = /(?:^|\.)comfy\.(?:org|app)\.?$/

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkComfyApiOptions(options: ComfyApiOptions) {
  const checked = checkOptions('comfyApiProvider', options, table)
  if (comfyHost.test(new URL(checked.baseUrl).hostname))
    others.token('comfyApiProvider: token', checked.token)
  return checked
}
