import { checkChoice, checkPrice, type JsonObject, type OutputKind, type Price } from '@genmount/core'
import {
  checkAllowedOptions,
  checkVendorFields,
  namesAtVendor,
  openInput,
  type ProviderOptionsAllowance,
  type VendorFields,
} from '@genmount/input-fields'
import type { HostedOptions, ModelOptions } from '@genmount/vendor-http'

/** An endpoint of fal, as the app offers it. */
export interface FalModel extends ModelOptions, ProviderOptionsAllowance {
  /** The endpoint's id at fal, with its path. @example 'fal-ai/flux/schnell' */
  readonly endpoint: string
  readonly outputKind: OutputKind
  /**
   * How the endpoint is told our fields, where it knows them by other names than most do.
   * @example { image: 'image_urls[]', duration: (seconds) => ({ duration: `${seconds}s` }) }
   */
  readonly fields?: VendorFields | undefined
  /** US dollars for each billable unit, which fal counts in `x-fal-billable-units`. @default no cost is told */
  readonly price?: Price | undefined
}

export interface FalProviderOptions extends HostedOptions<FalModel> {
  /** Where fal publishes the keys that it signs webhooks with. @default 'https://rest.fal.ai/.well-known/jwks.json' */
  readonly jwksUrl?: string | undefined
  /** Your user id at fal: webhooks that fal has signed for other users are refused. @default those of all users are taken */
  readonly webhookUserId?: string | undefined
  /** The current instant in milliseconds since the Unix epoch, by which webhooks are stale. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** @throws TypeError that names the option */
export function checkWebhookOptions({ jwksUrl, webhookUserId }: FalProviderOptions): void {
  if (jwksUrl !== undefined && !/^https?:$/.test(String(URL.parse(jwksUrl)?.protocol)))
    throw new TypeError('jwksUrl must be an http or https URL.')
  if (webhookUserId !== undefined && (typeof webhookUserId !== 'string' || webhookUserId === ''))
    throw new TypeError('webhookUserId must be a text that is not empty.')
}

/** What is known of a model beside what the service is told. */
export type OfferedModel = ReturnType<typeof offeredModel>

const endpointId = /^[a-z\d][\w.-]*(\/[a-z\d][\w.-]*)+$/i

/** @throws TypeError that names the option */
export function offeredModel(options: FalModel, at: string) {
  const { endpoint, price, allowedProviderOptions } = options
  if (typeof endpoint !== 'string' || !endpointId.test(endpoint))
    throw new TypeError(`${at}.endpoint must be an endpoint id of fal, such as fal-ai/flux/schnell.`)
  const outputKind = checkChoice(`${at}.outputKind`, options.outputKind, ['image', 'video'])
  const fields = { ...usualFields[outputKind], ...checkVendorFields(`${at}.fields`, options.fields) }
  const own = [...namesAtVendor(fields), 'sync_mode']
  if (fields.aspect_ratio === usualFields.image.aspect_ratio) own.push('image_size')
  const rule = checkAllowedOptions(`${at}.allowedProviderOptions`, allowedProviderOptions, own)
  return {
    endpoint,
    outputKind,
    input: openInput(outputKind, rule),
    fields,
    price: checkPrice(`${at}.price`, price),
  }
}

/** The names that most of fal's endpoints know. */
const usualFields: Readonly<Record<OutputKind, VendorFields>> = {
  image: {
    image: 'image_url',
    num_outputs: 'num_images',
    aspect_ratio: (ratio) => ({ image_size: imageSize(ratio) }),
  },
  video: { image: 'image_url', duration: (seconds) => ({ duration: String(seconds) }) },
}

/** https://fal.ai/models/fal-ai/flux/dev/api#schema-input */
const presets: Readonly<Record<string, string>> = {
  '1:1': 'square_hd',
  '4:3': 'landscape_4_3',
  '3:4': 'portrait_4_3',
  '16:9': 'landscape_16_9',
  '9:16': 'portrait_16_9',
}

/** A preset; about a megapixel in steps of 16 pixels; or a word of the endpoint's own, as it is. */
function imageSize(ratio: string): string | JsonObject {
  const [width, height] = ratio.split(':').map(Number)
  if (!width || !height) return ratio
  const side = (part: number, other: number) => Math.round((Math.sqrt(part / other) * 1024) / 16) * 16
  return presets[ratio] ?? { width: side(width, height), height: side(height, width) }
}
