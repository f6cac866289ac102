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
  numberIn,
  offerModels,
  openModel,
  type OpenModelOptions,
  openModelOptions,
  webhook,
  type WebhookClock,
} from '@genmount/provider-kit'
import type { ListedModel } from './listed-models.ts'
import { reservedParameters, usualFields } from './openrouter-fields.ts'

/** A model for films at OpenRouter, as the app offers it. */
export interface OpenrouterModel extends Omit<OpenModelOptions, 'outputKind'> {
  /** The model's slug at OpenRouter, such as `alibaba/wan-3.0`. @default the public id */
  readonly model?: string | undefined
  /**
   * The price in US dollars of each second of film. OpenRouter says what each film has cost, so the price is for clients
   * to see, for budgets, and for an answer without a cost.
   * @default the price in OpenRouter's list
   */
  readonly price?: Price | undefined
  /**
   * Parameters of every request for this model, as OpenRouter names them. They win over the client's values, and a field
   * of the interface that would set the same parameter is omitted from the model's input.
   * @default none
   * @example { provider: { options: { 'google-vertex': { parameters: { personGeneration: 'allow' } } } } }
   */
  readonly providerOptions?: JsonObject | undefined
}

/** The options of `openrouterProvider`. */
export interface OpenrouterOptions extends Omit<HostedOptions<OpenrouterModel>, 'models'>, WebhookClock {
  /**
   * The models on offer: an object by the public ids that clients use, or a list of models that have an `id`; or `'all'`, for
   * all models of OpenRouter's list under their slugs, also those that come later.
   */
  readonly models: HostedOptions<OpenrouterModel>['models'] | 'all'
  /**
   * The signing secret of the workspace at OpenRouter. With it, signed webhooks end jobs, and find a film whose submit had
   * no answer. Without it, a webhook only triggers a poll.
   * @default webhooks are not verified, and only trigger a poll
   */
  readonly webhookSecret?: string | undefined
  /** Fetches films that OpenRouter names by an http URL, or redirects to. @default guardedFetch */
  readonly fetchFile?: FileFetch | undefined
}

const { outputKind: _kind, ...openOptions } = openModelOptions

const modelTable = {
  ...openOptions,
  model: optional(text('the slug of a model at OpenRouter, such as alibaba/wan-3.0')),
  price: checkPrice,
  providerOptions: fixedParameters('{ resolution: "720p" }', ['prompt', 'model', 'callback_url']),
} satisfies OptionTable<OpenrouterModel>

/** @param all the models of OpenRouter's list. What the app says of a model wins over what the list says */
function offeredModel(options: OpenrouterModel, at: string, id: string, all: readonly ListedModel[]) {
  const checked = checkOptions(at, options, modelTable)
  const { model = id, price, providerOptions: fixed } = checked
  const listed = all.find(({ slug }) => slug === model)
  const names = Object.keys(fixed)
  const required: readonly string[] = checked.required ?? []
  // The list can't take away a field that the app requires.
  const lacking = Object.entries(listed?.fields ?? {}).filter(([name]) => !required.includes(name))
  return {
    ...openModel(
      at,
      { ...checked, outputKind: 'video', limits: { ...listed?.limits, ...checked.limits } },
      {
        usual: { ...usualFields, ...Object.fromEntries(lacking) },
        reserved: [...reservedParameters, ...names],
        fixed: names,
      },
    ),
    outputKind: 'video' as const,
    vendorModel: model,
    fixed,
    costOf: (input: JsonObject) =>
      price === undefined
        ? listed?.price?.usdOf(input)
        : costOf(price, { input, units: numberIn(input['duration']) }),
    shownPrice: price === undefined ? listed?.price?.modelPrice : shownPrice(price, 'second'),
    typicalMs: 90_000,
  }
}

/** The models that the app offers. */
export type ChosenModels = HostedOptions<OpenrouterModel>['models']

/**
 * The models on offer.
 * @param listed the models of OpenRouter's list
 * @throws TypeError that names the wrong option
 */
export function openrouterOffer(models: ChosenModels, listed: readonly ListedModel[]) {
  const check = offerModels((options: OpenrouterModel, at, id) => offeredModel(options, at, id, listed))
  return check('openrouterProvider: models', models)
}

const table = {
  ...hostedOptions('OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'),
  models: (_name, models) => {
    if (models !== 'all') openrouterOffer(models as ChosenModels, [])
    return models as OpenrouterOptions['models']
  },
  webhookSecret: optional(text('a secret of at least 16 visible ASCII characters', /^[\x21-\x7e]{16,}$/)),
  fetchFile: optional(checkFileFetch, guardedFetch),
  ...webhook.options,
} satisfies OptionTable<OpenrouterOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkOpenrouterOptions(options: OpenrouterOptions) {
  return checkOptions('openrouterProvider', options, table)
}
