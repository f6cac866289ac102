import {
  checkOptions,
  checkPrice,
  optional,
  type OptionTable,
  type Price,
  shownPrice,
  text,
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
import { familyOf } from './usual-fields.ts'

/** A model: an endpoint of Black Forest Labs, as the app offers it. */
export interface BflModel extends OpenModelOptions {
  /** The name of the endpoint: what follows `/v1/` in its address. @example 'flux-2-pro' */
  readonly endpoint: string
  /**
   * Which fields of the interface the endpoint has, and how it calls them, if the endpoint differs from the known
   * families; `false` refuses a field.
   * @default the fields of the endpoint of that name. An unknown endpoint is treated like FLUX.2, or like FLUX 3 for
   * films
   * @example { image: 'input_image', aspect_ratio: 'aspect_ratio', seed: false }
   */
  readonly fields?: VendorFields | undefined
  /**
   * The price of each credit in US dollars. BFL says how many credits a job has cost.
   * @default 0.01
   */
  readonly price?: Price | undefined
}

/** The options of `bflProvider`. */
export interface BflProviderOptions extends HostedOptions<BflModel>, WebhookClock {
  /**
   * A secret of your own, of at least 16 characters. BFL gets it with each job that has a webhook, and signs the
   * webhook with it. If it is set and the service has an https address, BFL calls the service back when a picture is
   * ready.
   * @default none: no callbacks
   */
  readonly webhookSecret?: string | undefined
}

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

const modelTable = {
  endpoint: text(
    'the name of an endpoint of Black Forest Labs, such as flux-2-pro',
    /^[a-z\d][\w.-]*(?:\/[a-z\d][\w.-]*)?$/i,
  ),
  ...openModelOptions,
  price: checkPrice,
} satisfies OptionTable<BflModel>

function offeredModel(options: BflModel, at: string) {
  const { endpoint, price = 0.01, ...checked } = checkOptions(at, options, modelTable)
  const family = familyOf(endpoint, checked.outputKind)
  const isRatioTheirs = checked.fields.aspect_ratio !== undefined
  const sets = family.sets.filter((name) => name === 'mode' || !isRatioTheirs)
  const reserved = ['webhook_url', 'webhook_secret', ...sets]
  return {
    endpoint,
    outputKind: checked.outputKind,
    ...openModel(
      at,
      { ...checked, required: checked.required ?? family.required },
      // Not as data URIs: @ai-sdk/black-forest-labs 2.0.41.
      { usual: family.fields, reserved, takesBareFiles: true },
    ),
    /** Whether the endpoint takes a `mode`, as films of FLUX 3 do. */
    hasModes: family.sets.includes('mode'),
    takesWebhook: family.takesWebhook,
    price,
    shownPrice: shownPrice(price, 'credit of Black Forest Labs'),
  }
}

const table = {
  ...hostedOptions('BFL_API_KEY', 'https://api.bfl.ai/v1'),
  models: offerModels(offeredModel),
  webhookSecret: optional(text('a secret of at least 16 visible ASCII characters', /^[\x21-\x7e]{16,}$/)),
  ...webhook.options,
} satisfies OptionTable<BflProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkBflOptions(options: BflProviderOptions) {
  return checkOptions('bflProvider', options, table)
}
