import { checkChoice, checkPrice, type OutputKind, type Price } from '@genmount/core'
import {
  checkAllowedOptions,
  checkVendorFields,
  namesAtVendor,
  openInput,
  type ProviderOptionsAllowance,
  type VendorFields,
} from '@genmount/input-fields'
import type { HostedOptions, ModelOptions } from '@genmount/vendor-http'

/** A model of Replicate, as the app offers it. */
export interface ReplicateModel extends ModelOptions, ProviderOptionsAllowance {
  /**
   * `owner/name` of an official model, `owner/name:version` or a bare version of any other, or
   * `deployments/owner/name`.
   */
  readonly model: string
  readonly outputKind: OutputKind
  /** How the model is told our fields, where it knows them otherwise. @example { image: 'image_input[]', resolution: 'size' } */
  readonly fields?: VendorFields | undefined
  /** US dollars for each `priceUnit`. @default no cost is told */
  readonly price?: Price | undefined
  /**
   * A `second` of `metrics.predict_time`, which models that are priced by their hardware bill, failed and cancelled
   * predictions too; or an `output`, for official models. @default 'second'
   */
  readonly priceUnit?: 'second' | 'output' | undefined
}

export interface ReplicateProviderOptions extends HostedOptions<ReplicateModel> {
  /**
   * The account's webhook signing secret (`GET /webhooks/default/secret`), which begins with `whsec_`. With it each
   * prediction registers the job's callback URL where the service has an https one. @default there are no callbacks
   */
  readonly webhookSecret?: string | undefined
  /** The current instant in milliseconds since the Unix epoch, by which webhooks are stale. @default Date.now */
  readonly now?: (() => number) | undefined
}

/** What is known of a model beside what the service is told. */
export type OfferedModel = ReturnType<typeof offeredModel>

/** @throws TypeError that names the option */
export function offeredModel(options: ReplicateModel, at: string) {
  const { model, price, priceUnit = 'second', allowedProviderOptions } = options
  const fields = checkVendorFields(`${at}.fields`, options.fields)
  const allowedAt = `${at}.allowedProviderOptions`
  const outputKind = checkChoice(`${at}.outputKind`, options.outputKind, ['image', 'video'])
  return {
    outputKind,
    input: openInput(
      outputKind,
      checkAllowedOptions(allowedAt, allowedProviderOptions, namesAtVendor(fields)),
    ),
    fields,
    price: checkPrice(`${at}.price`, price),
    priceUnit: checkChoice(`${at}.priceUnit`, priceUnit, ['second', 'output']),
    ...addressOf(at, model),
  }
}

/**
 * Where predictions of a model are created, and the version that goes into the body where the path does not tell the
 * model. As the vendor's SDK tells them apart: replicate-javascript, lib/identifier.js and lib/predictions.js.
 */
function addressOf(at: string, model: unknown) {
  const word = '[A-Za-z0-9][\\w.-]*'
  const pattern = `^(?:(deployments/)?(${word}/${word})(?::([A-Za-z0-9]+))?|([a-f0-9]{64}))$`
  const [whole, deployments, name, ofModel, bare] = new RegExp(pattern).exec(String(model)) ?? []
  const version = ofModel ?? bare
  if (whole === undefined || (deployments !== undefined && version !== undefined))
    throw new TypeError(
      `${at}.model must be 'owner/name', 'owner/name:version', a version, or 'deployments/owner/name'.`,
    )
  const path = version === undefined ? `/${deployments ?? 'models/'}${name}/predictions` : '/predictions'
  return { path, version }
}
