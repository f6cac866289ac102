import {
  checkFileFetch,
  checkOptions,
  checkPrice,
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
  webhook,
  type WebhookClock,
} from '@genmount/provider-kit'
import { reservedParameters, usualFields } from './openrouter-fields.ts'

/** A model for films at OpenRouter, as the app offers it. */
export interface OpenrouterModel extends Omit<OpenModelOptions, 'outputKind'> {
  /** The model's slug at OpenRouter, such as `alibaba/wan-3.0`. @default the public id */
  readonly model?: string | undefined
  /**
   * The price in US dollars of each second of film. OpenRouter says what each film has cost, so the price is for clients
   * to see, for budgets, and for an answer without a cost.
   * @default none: clients see no price
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
export interface OpenrouterOptions extends HostedOptions<OpenrouterModel>, WebhookClock {
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

function offeredModel(options: OpenrouterModel, at: string, id: string) {
  const checked = checkOptions(at, options, modelTable)
  const { model = id, price, providerOptions: fixed } = checked
  const names = Object.keys(fixed)
  return {
    ...openModel(
      at,
      { ...checked, outputKind: 'video' },
      { usual: usualFields, reserved: [...reservedParameters, ...names], fixed: names },
    ),
    outputKind: 'video' as const,
    vendorModel: model,
    fixed,
    price,
    shownPrice: shownPrice(price, 'second'),
    typicalMs: 90_000,
  }
}

const table = {
  ...hostedOptions('OPENROUTER_API_KEY', 'https://openrouter.ai/api/v1'),
  models: offerModels(offeredModel),
  webhookSecret: optional(text("the signing secret of OpenRouter's workspace")),
  fetchFile: optional(checkFileFetch, guardedFetch),
  ...webhook.options,
} satisfies OptionTable<OpenrouterOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkOpenrouterOptions(options: OpenrouterOptions) {
  return checkOptions('openrouterProvider', options, table)
}
