import {
  checkBaseUrl,
  checkOptions,
  checkPrice,
  costOf,
  endOf,
  type JsonObject,
  type ModelPrice,
  optional,
  type OptionTable,
  type Price,
  shownPrice,
  text,
} from '@genmount/core'
import {
  fixedParameters,
  type HostedOptions,
  offerModels,
  openModel,
  type OpenModelOptions,
  openModelOptions,
  serverOptions,
  webhook,
  type WebhookClock,
} from '@genmount/provider-kit'
import type { KlingAccessKeys } from '../client/kling-access-token.ts'
import { modelEnds } from './model-ends.ts'
import { traitsOf } from './model-traits.ts'

/** A model of Kling, as the app offers it. */
export interface KlingModel extends OpenModelOptions {
  /**
   * The model at Kling: its name in the path, such as `kling-3.0`, or as `model_name` in the body, such as `kling-v3`.
   * @default the public id
   */
  readonly model?: string | undefined
  /**
   * The price in US dollars of each unit of a prepaid package. Kling says how many units a job has cost.
   * @default Kling's list price: 0.14 for films, 0.0035 for images. In mainland China none, because Kling's prices there are in yuan
   */
  readonly price?: Price | undefined
  /**
   * Parameters of every request for this model, as Kling names them. They win over the client's values, and a field of the interface
   * that would set one of them is omitted from the model's input.
   * @default none
   * @example { multi_shot: false }
   */
  readonly providerOptions?: JsonObject | undefined
}

/** The options of `klingProvider`. It needs either `token` or both `accessKey` and `secretKey`. */
export interface KlingProviderOptions extends Omit<HostedOptions<KlingModel>, 'token'>, WebhookClock {
  /** The API key, which opens all models. It is sent only to the origin of `baseUrl`, and never shown or logged. */
  readonly token?: string | undefined
  /** The access key of an older account. It opens only the models that are named in the body, such as `kling-v3`. */
  readonly accessKey?: string | undefined
  /** The secret key that goes with `accessKey`. It signs a token for each request, and never leaves this process. */
  readonly secretKey?: string | undefined
  /**
   * The Webhook Secret of the account, which begins with `whsec_`. With it, a callback of Kling is checked, and its result counts.
   * @default none: a callback only makes the service poll the job
   */
  readonly webhookSecret?: string | undefined
}

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

const such = '{ multi_shot: false }'
const reserved = {
  current: ['prompt', 'contents', 'settings', 'options', 'audio', 'callback_url', 'external_task_id'],
  legacy: [
    'prompt',
    'model_name',
    'mode',
    'image_tail',
    'image_list',
    'video_list',
    'callback_url',
    'external_task_id',
  ],
} as const

const modelTable = {
  model: optional(text('the name of a model of Kling, such as kling-3.0', /^[a-z\d][\w.-]*$/i)),
  ...openModelOptions,
  price: checkPrice,
  providerOptions: fixedParameters(such),
} satisfies OptionTable<KlingModel>

function offeredModel(options: KlingModel, at: string, id: string, isInChina: boolean) {
  const checked = checkOptions(at, options, modelTable)
  const { model = id, outputKind } = checked
  const price = checked.price ?? (isInChina ? undefined : listPrices[outputKind])
  const traits = traitsOf(model, outputKind)
  if (outputKind === 'image' && traits.design === 'current')
    throw new TypeError(`${at}.model must be one of Kling's image models, such as kling-v3, not ${model}.`)
  const names = reserved[traits.design]
  const fixed = fixedParameters(such, names)(`${at}.providerOptions`, checked.providerOptions)
  const open = openModel(
    at,
    { ...checked, limits: { ...traits.limits, ...checked.limits } },
    { usual: traits.fields, reserved: names, fixed: Object.keys(fixed), takesBareFiles: true },
  )
  return {
    ...traits,
    ...open,
    model,
    outputKind,
    fixed,
    price,
    end: endOf(modelEnds, model),
    isCostKnown: price !== undefined,
    shownPrice: priceOf(price, traits.unitsOf),
  }
}

/** The price as clients see it, and what a job is expected to cost by Kling's published units. */
function priceOf(
  price: Price | undefined,
  unitsOf: (input: JsonObject) => number | undefined,
): ModelPrice | undefined {
  const modelPrice = shownPrice(price, 'unit of Kling')
  return modelPrice && { ...modelPrice, usdOf: (input) => costOf(price, { input, units: unitsOf(input) }) }
}

/** Read in stored copies of https://kling.ai/document-api/pricing/base/video and /image of 2026-08-13 and 2026-10-08, second hand. */
const listPrices = { video: 0.14, image: 0.0035 } as const

const { token: checkToken, ...server } = serverOptions()

const table = {
  ...server,
  token: (name: string, token: unknown) => (token === '' ? undefined : checkToken(name, token)),
  accessKey: checkToken,
  secretKey: checkToken,
  baseUrl: optional(checkBaseUrl, 'https://api-singapore.klingai.com'),
  webhookSecret: optional(webhook.secret),
  ...webhook.options,
}

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkKlingOptions(options: KlingProviderOptions) {
  const isInChina = URL.parse(String(options?.baseUrl))?.hostname === 'api-beijing.klingai.com'
  const { token, accessKey, secretKey, ...checked } = checkOptions('klingProvider', options, {
    ...table,
    models: offerModels((model: KlingModel, at, id) => offeredModel(model, at, id, isInChina)),
  } satisfies OptionTable<KlingProviderOptions>)
  const credentials = credentialsOf({ token, accessKey, secretKey })
  if (typeof credentials !== 'string')
    for (const { id } of checked.models.models) {
      const { design, model } = checked.models.of({ model: id })
      if (design === 'current')
        throw new TypeError(
          `klingProvider: models['${id}'] needs token, because accessKey and secretKey open only models such as kling-v3, and not ${model}.`,
        )
    }
  return { ...checked, credentials }
}

function credentialsOf({
  token,
  accessKey,
  secretKey,
}: Pick<KlingProviderOptions, 'token' | 'accessKey' | 'secretKey'>): string | KlingAccessKeys {
  const isPair = accessKey !== undefined || secretKey !== undefined
  if (token !== undefined && isPair)
    throw new TypeError('klingProvider must have either token, or accessKey and secretKey, and not both.')
  if (token !== undefined) return token
  if (!isPair)
    throw new TypeError(
      'klingProvider: token is missing; set KLING_API_KEY in the environment and pass its value, or pass accessKey and secretKey.',
    )
  if (accessKey !== undefined && secretKey !== undefined) return { accessKey, secretKey }
  throw new TypeError('klingProvider: accessKey and secretKey go together, and one of them is missing.')
}
