import { checkCount, checkPrice, type Model, type OutputKind, type Price } from '@genmount/core'
import { type InputName, inputNames, inputSchema } from './input-schema.ts'

/** One model of Replicate, as the app offers it. */
export interface ReplicateModel {
  /**
   * `owner/name` of an official model, `owner/name:version` or a bare version of any other, or
   * `deployments/owner/name`.
   */
  readonly model: string
  readonly outputKind: OutputKind
  /**
   * Names of the model's own inputs where they differ from ours; with `[]` at the end for an input that is a list.
   * @example { image: 'input_image' }
   * @example { image: 'image_input[]', resolution: 'size' }
   */
  readonly names?: Readonly<Partial<Record<InputName, string>>> | undefined
  /** @default no cost is told */
  readonly price?: Price | undefined
  /**
   * What one unit of `price` is: a `second` of `metrics.predict_time`, which models that are priced by their hardware
   * bill, failed and cancelled predictions too; or an `output`, for official models. @default 'second'
   */
  readonly priceUnit?: PriceUnit | undefined
  /** How long a job usually takes, in milliseconds. @default it is learnt */
  readonly typicalMs?: number | undefined
  /** Whole days for which jobs are kept. @default the service's `retentionDays` */
  readonly retentionDays?: number | undefined
}

export type PriceUnit = 'second' | 'output'

/** A model after its options have been checked. */
export interface OfferedModel extends Model {
  /** Where its predictions are created. */
  readonly path: string
  /** Goes into the body where the path does not tell the model. */
  readonly version: string | undefined
  readonly names: Readonly<Partial<Record<InputName, string>>>
  readonly price: Price | undefined
  readonly priceUnit: PriceUnit
}

/** @throws TypeError when an option is wrong */
export function offeredModel(id: string, options: ReplicateModel): OfferedModel {
  const at = `models[${JSON.stringify(id)}]`
  const { outputKind, names = {}, price, priceUnit = 'second', typicalMs, retentionDays } = options ?? {}
  if (id.trim() !== id || id === '') throw new TypeError(`${at} must have a name without spaces around it.`)
  if (outputKind !== 'image' && outputKind !== 'video')
    throw new TypeError(`${at}.outputKind must be 'image' or 'video'.`)
  if (priceUnit !== 'second' && priceUnit !== 'output')
    throw new TypeError(`${at}.priceUnit must be 'second' or 'output'.`)
  if (typicalMs !== undefined && !(Number.isFinite(typicalMs) && typicalMs > 0))
    throw new TypeError(`${at}.typicalMs must be a number above 0.`)
  for (const [name, theirs] of Object.entries(names)) {
    if (!(inputNames as readonly string[]).includes(name) || !/^\w+(\[\])?$/.test(String(theirs)))
      throw new TypeError(`${at}.names must give names of the model's inputs to ${inputNames.join(', ')}.`)
  }
  return {
    id,
    outputKind,
    input: inputSchema(outputKind),
    names,
    price: checkPrice(`${at}.price`, price),
    priceUnit,
    typicalMs,
    retentionDays:
      retentionDays === undefined ? undefined : checkCount(`${at}.retentionDays`, retentionDays, 1, 3650),
    ...addressOf(at, options.model),
  }
}

/** As the vendor's SDK tells them apart: replicate-javascript, lib/identifier.js and lib/predictions.js. */
function addressOf(at: string, model: unknown): Pick<OfferedModel, 'path' | 'version'> {
  const word = '[A-Za-z0-9][\\w.-]*'
  const pattern = `^(?:(deployments/)?(${word}/${word})(?::([A-Za-z0-9]+))?|([a-f0-9]{64}))$`
  const [whole, deployments, name, ofModel, bare] = new RegExp(pattern).exec(String(model)) ?? []
  const version = ofModel ?? bare
  if (whole === undefined || (deployments !== undefined && version !== undefined))
    throw new TypeError(
      `${at}.model must be 'owner/name', 'owner/name:version', a version, or 'deployments/owner/name'.`,
    )
  if (version !== undefined) return { path: '/predictions', version }
  return { path: `/${deployments ?? 'models/'}${name}/predictions`, version: undefined }
}
