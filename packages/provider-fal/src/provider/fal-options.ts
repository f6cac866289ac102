import { checkCount, checkPrice, type JsonObject, type OutputKind, type Price } from '@genmount/core'
import type { FalInput } from './fal-input.ts'

/** One endpoint of fal under a public model id. */
export interface FalModel {
  /** The endpoint's id at fal, with its path. @example 'fal-ai/flux/schnell' */
  readonly endpoint: string
  readonly outputKind: OutputKind
  /** US dollars for each billable unit, which fal counts in `x-fal-billable-units`. @default jobs cost 0 */
  readonly price?: Price | undefined
  /** How long a job usually takes, in milliseconds. */
  readonly typicalMs?: number | undefined
  /** Whole days for which jobs are kept. @default the service's */
  readonly retentionDays?: number | undefined
  /**
   * What the endpoint is sent, where its fields differ from the usual ones: gets the client's input, and what would be
   * sent for it otherwise.
   * @default `usual`
   * @example ({ duration }, usual) => ({ ...usual, duration: `${duration ?? 8}s` })
   */
  readonly mapInput?: ((input: FalInput, usual: JsonObject) => JsonObject) | undefined
}

export interface FalProviderOptions {
  /** The API key, `id:secret`. */
  readonly token: string
  /** The models by their public ids. */
  readonly models: Readonly<Record<string, FalModel>>
  /** @default 'https://queue.fal.run' */
  readonly baseUrl?: string | undefined
  /** @default the runtime's own */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Sent with every request to the queue. @example { 'x-fal-queue-priority': 'low' } */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Where fal publishes the keys that it signs webhooks with. @default 'https://rest.fal.ai/.well-known/jwks.json' */
  readonly jwksUrl?: string | undefined
  /** Your user id at fal: webhooks that fal has signed for other users are refused. @default those of all users are taken */
  readonly webhookUserId?: string | undefined
  /** The present, in milliseconds since the Unix epoch. @default Date.now */
  readonly now?: (() => number) | undefined
}

const endpointId = /^[a-z\d][\w.-]*(\/[a-z\d][\w.-]*)+$/i

/** @throws TypeError that names the first option that is wrong */
export function checkOptions({ token, models, jwksUrl, webhookUserId }: FalProviderOptions): void {
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('token must be an API key of fal, id:secret.')
  if (typeof models !== 'object' || models === null || Object.keys(models).length === 0)
    throw new TypeError('models must have a model, as { id: { endpoint, outputKind } }.')
  for (const [id, model] of Object.entries(models)) checkModel(`models['${id}']`, model)
  if (jwksUrl !== undefined && !URL.canParse(jwksUrl)) throw new TypeError('jwksUrl must be a URL.')
  if (webhookUserId !== undefined && (typeof webhookUserId !== 'string' || webhookUserId === ''))
    throw new TypeError('webhookUserId must be a text that is not empty.')
}

function checkModel(name: string, model: FalModel): void {
  if (typeof model !== 'object' || model === null)
    throw new TypeError(`${name} must be { endpoint, outputKind }.`)
  const { endpoint, outputKind, price, typicalMs, retentionDays, mapInput } = model
  if (typeof endpoint !== 'string' || !endpointId.test(endpoint))
    throw new TypeError(`${name}.endpoint must be an endpoint id of fal, such as fal-ai/flux/schnell.`)
  if (outputKind !== 'image' && outputKind !== 'video')
    throw new TypeError(`${name}.outputKind must be 'image' or 'video'.`)
  checkPrice(`${name}.price`, price)
  if (typicalMs !== undefined) checkCount(`${name}.typicalMs`, typicalMs)
  if (retentionDays !== undefined) checkCount(`${name}.retentionDays`, retentionDays, 1, 3650)
  if (mapInput !== undefined && typeof mapInput !== 'function')
    throw new TypeError(`${name}.mapInput must be a function.`)
}
