import {
  checkFileFetch,
  checkOptions,
  checkPrice,
  count,
  type FileFetch,
  type JsonObject,
  optional,
  type OptionTable,
  type Price,
  shownPrice,
  text,
} from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import {
  fixedParameters,
  type HostedOptions,
  offerModels,
  openModel,
  type OpenModelOptions,
  openModelOptions,
  serverOptions,
  type VendorFields,
} from '@genmount/provider-kit'

/** A model of the server, as the app offers it. */
export interface A1111Model extends Omit<OpenModelOptions, 'outputKind'> {
  /**
   * The checkpoint that the server loads for the job, as `GET /sdapi/v1/sd-models` names it. Draw Things has no such
   * parameter.
   * @default the checkpoint that is loaded
   */
  readonly checkpoint?: string | undefined
  /**
   * Which fields of the interface the model has, and how the server calls them.
   * @default prompt, negative_prompt, seed, image, mask, guidance as `cfg_scale`, num_outputs as `batch_size`, and
   *   resolution, such as `768x512`, as `width` and `height`
   * @example { guidance: false, num_outputs: 'batch_count' }
   */
  readonly fields?: VendorFields | undefined
  /** The price in US dollars of each image. @default 0, because the server is the app's own */
  readonly price?: Price | undefined
  /**
   * Parameters of every request for this model, as the server names them. They win over the client's values.
   * @default none
   * @example { steps: 20, sampler_name: 'DPM++ 2M' }
   */
  readonly parameters?: JsonObject | undefined
}

/** The options of `a1111Provider`. */
export interface A1111ProviderOptions extends Omit<HostedOptions<A1111Model>, 'token'> {
  /** The address of the server, without `/sdapi`. @example 'http://127.0.0.1:7860' */
  readonly baseUrl: string
  /** `user:password` of the server's `--api-auth`. @default none is sent */
  readonly login?: string | undefined
  /**
   * The name of the provider in logs. Two servers in one service need two names.
   * @default 'a1111'
   */
  readonly name?: string | undefined
  /** Fetches the picture URLs of clients, because the server takes pictures as data. @default guardedFetch */
  readonly fetchFile?: FileFetch | undefined
  /**
   * How long the server may take to answer, in milliseconds. It answers when the images are made, one request after the
   * other.
   * @default 600000 (10 minutes)
   */
  readonly callTimeoutMs?: number | undefined
}

const usual: VendorFields = {
  prompt: 'prompt',
  negative_prompt: 'negative_prompt',
  seed: 'seed',
  image: 'init_images[1]',
  mask: 'mask',
  guidance: 'cfg_scale',
  num_outputs: 'batch_size',
  resolution: widthAndHeight,
  aspect_ratio: false,
}

function widthAndHeight(resolution: string): JsonObject {
  const [, width, height] = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/.exec(resolution) ?? []
  if (width === undefined) throw new TypeError('A resolution is width x height in pixels, such as 768x512.')
  return { width: Number(width), height: Number(height) }
}

/** The parameters that only the job or the option `checkpoint` sets. */
const ours = ['prompt', 'init_images', 'mask', 'override_settings']

const { outputKind: _kind, ...openOptions } = openModelOptions

const modelTable = {
  ...openOptions,
  checkpoint: optional(text('the name of a checkpoint at the server')),
  price: (name, price) => checkPrice(name, price ?? 0),
  parameters: fixedParameters('{ steps: 20 }', ours),
} satisfies OptionTable<A1111Model>

function offeredModel(options: A1111Model, at: string) {
  const checked = checkOptions(at, options, modelTable)
  const { checkpoint, parameters, price } = checked
  const reserved = [...ours, 'width', 'height', ...Object.keys(parameters)]
  return {
    ...openModel(at, { ...checked, outputKind: 'image' }, { usual, reserved }),
    outputKind: 'image' as const,
    fixed: {
      ...parameters,
      ...(checkpoint !== undefined && {
        override_settings: { sd_model_checkpoint: checkpoint },
        // The checkpoint stays loaded for the next job, which is often a job of the same model.
        override_settings_restore_afterwards: false,
      }),
    },
    price,
    isCostKnown: true,
    shownPrice: shownPrice(price, 'image'),
  }
}

const { token: _token, ...server } = serverOptions()

const table = {
  ...server,
  login: optional(text('user:password', /^[^:]+:.+$/)),
  name: optional(text('a name of letters, digits, _ and -', /^[\w-]+$/), 'a1111'),
  models: offerModels(offeredModel),
  fetchFile: optional(checkFileFetch, guardedFetch),
  callTimeoutMs: optional(count(1, 3_600_000), 600_000),
} satisfies OptionTable<A1111ProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkA1111Options(options: A1111ProviderOptions) {
  return checkOptions('a1111Provider', options, table)
}
