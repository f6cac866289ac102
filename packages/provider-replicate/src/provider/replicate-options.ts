import {
  checkOptions,
  checkPriceOrUnknown,
  choice,
  optional,
  type OptionTable,
  type Price,
  shownPrice,
} from '@genmount/core'
import {
  type HostedOptions,
  hostedOptions,
  offerModels,
  openModel,
  type OpenModelOptions,
  openModelOptions,
  type VendorFields,
  webhook,
  type WebhookClock,
} from '@genmount/provider-kit'

/** A model of Replicate, as the app offers it. */
export interface ReplicateModel extends OpenModelOptions {
  /**
   * The model at Replicate: `owner/name` for an official model, `owner/name:version` or only the version for any other,
   * or `deployments/owner/name`.
   */
  readonly model: string
  /**
   * Which fields of the interface the model has, and their names at the model. Fields that only some models have, such
   * as `last_frame` and `sound`, are refused unless they are named here; `false` refuses a field that most models have.
   * @default the fields of most models, under their own names
   * @example { image: ['input_image', 'input_image_2'], last_frame: 'end_image', sound: 'generate_audio', seed: false }
   */
  readonly fields?: VendorFields | undefined
  /** The price of each `priceUnit` in US dollars. With `'unknown'` jobs have no known cost. @default 'unknown' */
  readonly price?: Price | 'unknown' | undefined
  /**
   * The unit of the price. `second`: each second of `metrics.predict_time`, for models that are priced by their
   * hardware; failed and canceled predictions cost as well. `output`: each output, for official models.
   * @default 'second'
   */
  readonly priceUnit?: 'second' | 'output' | undefined
}

/** The options of `replicateProvider`. */
export interface ReplicateProviderOptions extends HostedOptions<ReplicateModel>, WebhookClock {
  /**
   * The account's webhook signing secret (`GET /webhooks/default/secret`), which begins with `whsec_`. With it,
   * Replicate calls the service back when a prediction ends, if the service has an https address.
   * @default none: no callbacks, and no search for a prediction whose submit was not answered
   */
  readonly webhookSecret?: string | undefined
}

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

const modelTable = {
  model: addressOf,
  ...openModelOptions,
  price: checkPriceOrUnknown,
  priceUnit: optional(choice('second', 'output'), 'second'),
} satisfies OptionTable<ReplicateModel>

function offeredModel(options: ReplicateModel, at: string) {
  const { model, ...checked } = checkOptions(at, options, modelTable)
  const isCostKnown = checked.price !== undefined
  const { price, priceUnit } = checked
  const priceWords = shownPrice(price, priceUnit === 'second' ? 'second of computing' : 'output')
  return { ...checked, ...model, ...openModel(at, checked), isCostKnown, shownPrice: priceWords }
}

const table = {
  ...hostedOptions('REPLICATE_API_TOKEN', 'https://api.replicate.com/v1'),
  models: offerModels(offeredModel),
  webhookSecret: optional(webhook.secret),
  ...webhook.options,
} satisfies OptionTable<ReplicateProviderOptions>

/**
 * The path to which predictions of a model are posted, and the version that goes into the body when the path does not
 * name the model. Follows the vendor's SDK: replicate-javascript, lib/identifier.js and lib/predictions.js.
 */
function addressOf(name: string, model: unknown) {
  const word = '[A-Za-z0-9][\\w.-]*'
  const pattern = `^(?:(deployments/)?(${word}/${word})(?::([A-Za-z0-9]+))?|([a-f0-9]{64}))$`
  const [whole, deployments, path, ofModel, bare] = new RegExp(pattern).exec(String(model)) ?? []
  const version = ofModel ?? bare
  if (whole === undefined || (deployments !== undefined && version !== undefined))
    throw new TypeError(
      `${name} must be 'owner/name', 'owner/name:version', a version, or 'deployments/owner/name'.`,
    )
  return {
    path: version === undefined ? `/${deployments ?? 'models/'}${path}/predictions` : '/predictions',
    version,
    slug: whole,
  }
}

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkReplicateOptions(options: ReplicateProviderOptions) {
  return checkOptions('replicateProvider', options, table)
}
