import {
  checkFileFetch,
  checkOptions,
  checkPrice,
  costOf,
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
  hostedOptions,
  offerModels,
  openModel,
  type OpenModelOptions,
  openModelOptions,
} from '@genmount/provider-kit'
import { habitOf } from './picture-value.ts'
import type { SchemaPart } from './published-model.ts'
import { schemaFields } from './schema-fields.ts'

/** A model of the Comfy Router, as the app offers it. */
export interface ComfyRouterModel extends OpenModelOptions {
  /** The id at the Router, such as `kling/kling-3.0-turbo`. @default the public id */
  readonly model?: string | undefined
  /**
   * The JSON Schema of the model's input, as the Router publishes it, for the time until it is read there.
   * @default the model is on offer as soon as its schema is read, or at once if it has `fields`
   */
  readonly schema?: SchemaPart | undefined
  /**
   * The price in US dollars of each output, for clients to see, for budgets, and for a job whose cost the Router does not
   * say.
   * @default the cost is what the Router says, and otherwise unknown
   */
  readonly price?: Price | undefined
  /**
   * Parameters of every request for this model, in the partner's words. They win over the client's values, and a field of
   * the interface that would set the same parameter is omitted from the model's input. A dot separates the levels of an
   * object.
   * @default none
   * @example { mode: 'pro', 'parameters.watermark': false }
   */
  readonly providerOptions?: JsonObject | undefined
}

/** The options of `comfyRouterProvider`. */
export interface ComfyRouterOptions extends Omit<HostedOptions<ComfyRouterModel>, 'models'> {
  /**
   * The models on offer: an object by the public ids that clients use, or a list of models that have an `id`; or `'all'`, for
   * all models of the Router that make images or films, under their ids there, also those that come later.
   */
  readonly models: HostedOptions<ComfyRouterModel>['models'] | 'all'
  /** Fetches the pictures of models that take no links. @default guardedFetch */
  readonly fetchFile?: FileFetch | undefined
}

const isModelId = text(
  'the id of a model at the Comfy Router, such as kling/kling-3.0-turbo',
  /^[a-z\d]+(?:[._-][a-z\d]+)*\/[a-z\d]+(?:[._-][a-z\d]+)*$/,
)

const modelTable = {
  ...openModelOptions,
  model: optional(isModelId),
  schema: (name, schema) => {
    if (schema === undefined || (typeof schema === 'object' && schema !== null)) return schema as SchemaPart
    throw new TypeError(`${name} must be a JSON Schema, such as { type: 'object', properties: {} }.`)
  },
  price: checkPrice,
  providerOptions: fixedParameters("{ mode: 'pro' }", ['prompt']),
} satisfies OptionTable<ComfyRouterModel>

/** What the Router publishes of its models' inputs, by the ids there. */
export type PublishedInputs = ReadonlyMap<string, SchemaPart | undefined>

/** What this provider needs to know about a model. What the app says of it wins over what the Router publishes. */
function offeredModel(options: ComfyRouterModel, at: string, id: string, published: PublishedInputs) {
  const checked = checkOptions(at, options, modelTable)
  const { model: own, price, schema: stored, providerOptions: fixed, ...open } = checked
  const model = isModelId(`${at}.model`, own ?? id)
  const schema = published.get(model) ?? stored
  const derived = schema && schemaFields(model, schema)
  const names = Object.keys(fixed)
  const fields = { ...derived?.fields, ...open.fields }
  const required =
    open.required ??
    derived?.required?.filter((name) => fields[name] !== false && !names.includes(String(fields[name])))
  return {
    ...openModel(
      at,
      { ...open, limits: { ...derived?.limits, ...open.limits }, required },
      { usual: derived?.fields, reserved: [...reserved, ...names], fixed: names },
    ),
    outputKind: open.outputKind,
    vendorModel: model,
    habit: habitOf(model),
    fixed,
    costOf: (input: JsonObject, outputs: number) =>
      price === undefined ? undefined : costOf(price, { input, units: outputs }),
    shownPrice: shownPrice(price, 'output'),
  }
}

/** The model is named by the path, and the Router has no callbacks: a partner's would bring the job's secret to nobody. */
const reserved = ['model', 'callback_url', 'webhook_url']

/** The models that the app offers. */
export type ChosenModels = HostedOptions<ComfyRouterModel>['models']

/**
 * The models on offer.
 * @throws TypeError that names the wrong option
 */
export function routerOffer(models: ChosenModels, published: PublishedInputs) {
  const check = offerModels((options: ComfyRouterModel, at, id) => offeredModel(options, at, id, published))
  return check('comfyRouterProvider: models', models)
}

/** The models of the app with their ids at the Router. */
export function chosenModels(models: ChosenModels) {
  const list = Array.isArray(models)
    ? (models as readonly (ComfyRouterModel & { readonly id: string })[])
    : Object.entries(models).map(([id, options]) => ({ ...options, id }))
  return list.map((options) => ({ ...options, model: options.model ?? options.id }))
}

const table = {
  ...hostedOptions('COMFY_API_KEY', 'https://api.comfy.org'),
  models: (_name, models) => {
    if (models !== 'all') routerOffer(models as ChosenModels, new Map())
    return models as ComfyRouterOptions['models']
  },
  fetchFile: optional(checkFileFetch, guardedFetch),
} satisfies OptionTable<ComfyRouterOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkRouterOptions(options: ComfyRouterOptions) {
  return checkOptions('comfyRouterProvider', options, table)
}
