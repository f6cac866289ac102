import {
  checkOptions,
  checkPriceOrUnknown,
  optional,
  type OptionTable,
  type OutputKind,
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
  sizeOfRatio,
  type VendorFields,
  webhook,
  type WebhookClock,
} from '@genmount/provider-kit'

/** A model: an endpoint of fal, as the app offers it. */
export interface FalModel extends OpenModelOptions {
  /** The id of the endpoint at fal, with its path. @example 'fal-ai/flux/schnell' */
  readonly endpoint: string
  /**
   * Which fields of the interface the endpoint has, and their names there, if they differ from most of fal's endpoints.
   * Fields that only some endpoints have, such as `last_frame` and `sound`, are refused unless they are named here;
   * `false` refuses a field that most endpoints have.
   * @default the names of most endpoints: `image_url` for `image`, `num_images` for `num_outputs`, `image_size` for the
   * `aspect_ratio` of images, and a `duration` that is a text
   * @example { image: 'image_urls[4]', last_frame: 'end_image_url', sound: 'generate_audio', seed: false }
   */
  readonly fields?: VendorFields | undefined
  /**
   * The price in US dollars of each billable unit, which fal counts in the header `x-fal-billable-units`. Without that
   * header each file of the result counts as a unit, if `priceUnit` allows it. With `'unknown'` jobs have no known cost.
   * @default 'unknown'
   */
  readonly price?: Price | 'unknown' | undefined
  /**
   * The name of the billable unit, in the singular, as on fal's page of the model. If it is neither `image` nor
   * `video`, files do not count as units: a result without the header `x-fal-billable-units` then has no known cost.
   * @default each file counts as a unit if the header is missing
   * @example 'second'
   */
  readonly priceUnit?: string | undefined
}

/** The options of `falProvider`. */
export interface FalProviderOptions extends HostedOptions<FalModel>, WebhookClock {
  /** The URL of the keys that sign fal's webhooks. @default 'https://rest.fal.ai/.well-known/jwks.json' */
  readonly jwksUrl?: string | undefined
  /**
   * Your user id at fal. With it, webhooks that fal has signed for other users are refused.
   * @default webhooks for all users are accepted
   */
  readonly webhookUserId?: string | undefined
}

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

const modelTable = {
  endpoint: text('an endpoint of fal, such as fal-ai/flux/schnell', /^[a-z\d][\w.-]*(\/[a-z\d][\w.-]*)+$/i),
  ...openModelOptions,
  price: checkPriceOrUnknown,
  priceUnit: optional(text('a unit such as second or megapixel', /^[a-z\d][a-z\d ]{0,39}$/)),
} satisfies OptionTable<FalModel>

/** Units that are counted by the files of a result. */
const fileUnits: readonly (string | undefined)[] = [undefined, 'image', 'video']

function offeredModel(options: FalModel, at: string) {
  const { endpoint, price, priceUnit, ...checked } = checkOptions(at, options, modelTable)
  const { outputKind } = checked
  const usual = usualFields[outputKind]
  const isSizeOurs = (checked.fields.aspect_ratio ?? usual.aspect_ratio) === usualFields.image.aspect_ratio
  return {
    endpoint,
    outputKind,
    ...openModel(at, checked, { usual, reserved: ['sync_mode', ...(isSizeOurs ? ['image_size'] : [])] }),
    price,
    isFileUnit: fileUnits.includes(priceUnit),
    isCostKnown: price !== undefined,
    shownPrice: shownPrice(price, priceUnit ?? 'billable unit of fal'),
  }
}

const isHttpUrl = text('an http or https URL', (url) => /^https?:/.test(URL.parse(url)?.href ?? ''))

const table = {
  ...hostedOptions('FAL_KEY', 'https://queue.fal.run'),
  models: offerModels(offeredModel),
  jwksUrl: optional(isHttpUrl, 'https://rest.fal.ai/.well-known/jwks.json'),
  webhookUserId: optional(text()),
  ...webhook.options,
} satisfies OptionTable<FalProviderOptions>

/** The options, with their defaults. */
export type CheckedFalOptions = ReturnType<typeof checkFalOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkFalOptions(options: FalProviderOptions) {
  return checkOptions('falProvider', options, table)
}

/** The names that most of fal's endpoints use. */
const usualFields: Readonly<Record<OutputKind, VendorFields>> = {
  image: {
    image: 'image_url',
    num_outputs: 'num_images',
    aspect_ratio: (ratio) => ({ image_size: presets.get(ratio) ?? sizeOfRatio(ratio, grid) ?? ratio }),
  },
  video: { image: 'image_url', duration: (seconds) => ({ duration: String(seconds) }) },
}

/** The presets of `image_size`. Other shapes get a size of about a megapixel. */
const presets: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // https://fal.ai/models/fal-ai/flux/dev/api#schema-input
    '1:1': 'square_hd',
    '4:3': 'landscape_4_3',
    '3:4': 'portrait_4_3',
    '16:9': 'landscape_16_9',
    '9:16': 'portrait_16_9',
  }),
)
const grid = { step: 16, round: Math.round }
