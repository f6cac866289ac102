import {
  checkFileFetch,
  checkOptions,
  checkPrice,
  choice,
  count,
  type FileFetch,
  flag,
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
import { videosCallTimeoutMs } from './video-task.ts'

/** A model of the server, as the app offers it. */
export interface OpenaiVideosModel extends Omit<OpenModelOptions, 'outputKind'> {
  /** The model's name at the server. @default the public id */
  readonly model?: string | undefined
  /**
   * Which fields of the interface the model has, and how the server calls them.
   * @default { prompt: 'prompt', image: 'input_reference', resolution: 'size', duration: 'seconds' as a text }
   * @example { seed: 'seed', negative_prompt: 'negative_prompt', fps: 'fps', image: false }
   */
  readonly fields?: VendorFields | undefined
  /**
   * The price in US dollars of each second of film. It counts if the server does not say what a film costs
   * (`usage.cost`).
   * @default none: without `usage.cost`, jobs have no known cost
   */
  readonly price?: Price | undefined
  /**
   * Parameters of every request for this model, as the server names them. They win over the client's values, and a
   * field of the interface that would set the same parameter is omitted from the model's input.
   * @default none
   * @example { num_inference_steps: 40 }
   */
  readonly providerOptions?: JsonObject | undefined
}

/** The options of `openaiVideosProvider`. */
export interface OpenaiVideosOptions extends Omit<HostedOptions<OpenaiVideosModel>, 'token'> {
  /** The address of the server's API, which usually ends in `/v1`. */
  readonly baseUrl: string
  /** The API key, which is sent only to `baseUrl`. @default none is sent */
  readonly token?: string | undefined
  /** The name of the provider in logs. Two servers in one service need two names. @default 'openai-videos' */
  readonly name?: string | undefined
  /**
   * How a request is sent. `json`: pictures are URLs and data URIs. `form`: multipart/form-data with pictures as files;
   * this process fetches pictures that are URLs.
   * @default 'json'
   */
  readonly body?: 'json' | 'form' | undefined
  /**
   * How the server stops a film. `cancel`: `POST /videos/{id}/cancel`. `delete`: `DELETE /videos/{id}`.
   * @default it can't: a canceled job ends at once, and its cost is unknown
   */
  readonly cancel?: 'cancel' | 'delete' | undefined
  /**
   * `true` says that two requests with the same header `Idempotency-Key` make one film at this server. A submit whose
   * answer was lost is then sent again.
   * @default false
   */
  readonly dedupesSubmits?: boolean | undefined
  /**
   * Fetches the picture URLs of clients for a `form`, and films that the server names by an http URL at another origin.
   * @default guardedFetch
   */
  readonly fetchFile?: FileFetch | undefined
  /** How long one call may take, in milliseconds. A poll may download a film. @default 300000 (5 minutes) */
  readonly callTimeoutMs?: number | undefined
}

/** Every server with this API has these fields. */
const usual: VendorFields = {
  image: (image_url) => ({ input_reference: { image_url } }),
  resolution: 'size',
  duration: (seconds) => ({ seconds: String(seconds) }),
  negative_prompt: false,
  aspect_ratio: false,
  seed: false,
  fps: false,
}

const { outputKind: _kind, ...openOptions } = openModelOptions

const modelTable = {
  ...openOptions,
  model: optional(text('the name of a model at the server')),
  price: checkPrice,
  providerOptions: fixedParameters('{ num_inference_steps: 40 }', ['prompt', 'model']),
} satisfies OptionTable<OpenaiVideosModel>

function offeredModel(options: OpenaiVideosModel, at: string, id: string) {
  const checked = checkOptions(at, options, modelTable)
  const { model = id, price, providerOptions: fixed } = checked
  const names = Object.keys(fixed)
  return {
    ...openModel(
      at,
      { ...checked, outputKind: 'video' },
      {
        // A length that the operator fixes leaves no choice to clients.
        usual: names.includes('seconds') ? { ...usual, duration: false } : usual,
        reserved: ['model', 'input_reference', 'seconds', ...names],
        fixed: names,
      },
    ),
    outputKind: 'video' as const,
    vendorModel: model,
    fixed,
    price,
    shownPrice: shownPrice(price, 'second'),
  }
}

const table = {
  ...serverOptions(),
  name: optional(text('a name of letters, digits, _ and -', /^[\w-]+$/), 'openai-videos'),
  models: offerModels(offeredModel),
  body: optional(choice('json', 'form'), 'json'),
  cancel: optional(choice('cancel', 'delete')),
  dedupesSubmits: optional(flag, false),
  fetchFile: optional(checkFileFetch, guardedFetch),
  callTimeoutMs: optional(count(1, 3_600_000), videosCallTimeoutMs),
} satisfies OptionTable<OpenaiVideosOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkOpenaiVideosOptions(options: OpenaiVideosOptions) {
  return checkOptions('openaiVideosProvider', options, table)
}
