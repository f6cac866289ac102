import {
  checkBaseUrl,
  checkOptions,
  checkPrice,
  optional,
  type OptionTable,
  type Price,
  shownPrice,
} from '@genmount/core'
import { googleModelName, type GoogleOptions, googleOptions } from '@genmount/google-http'
import { checkAllowedOptions, modelInput, type ProviderOptionsAllowance } from '@genmount/input-fields'
import { checkToken, type ModelOptions, modelOptions, offerModels } from '@genmount/vendor-http'
import { ownParameters, veoInput } from './veo-input.ts'

/** A Veo model of a gateway, as the app offers it. */
export interface VeoModel extends ModelOptions, ProviderOptionsAllowance {
  /** The model's name at the gateway. @default the public id */
  readonly model?: string | undefined
  /** The price in US dollars of each second of film. @default none: jobs have no known cost */
  readonly price?: Price | undefined
}

/** The options of `veoProvider`. `token` is the gateway's key. */
export interface VeoProviderOptions extends Omit<GoogleOptions<VeoModel>, 'baseUrl'> {
  /** The address of the gateway, in front of `/models`, such as `https://gateway.example/v1beta`. */
  readonly baseUrl: string
}

const modelTable = {
  ...modelOptions,
  model: optional(googleModelName),
  allowedProviderOptions: (name, allowed) => checkAllowedOptions(name, allowed, ownParameters),
  price: checkPrice,
} satisfies OptionTable<VeoModel>

function offeredModel(options: VeoModel, at: string, id: string) {
  const { price, allowedProviderOptions: rule, model } = checkOptions(at, options, modelTable)
  return {
    vendorModel: model ?? googleModelName(`${at}.model`, id),
    outputKind: 'video' as const,
    input: modelInput(veoInput(rule)),
    typicalMs: 90_000,
    isCostKnown: price !== undefined,
    shownPrice: shownPrice(price, 'second'),
    price,
  }
}

const table = {
  ...googleOptions,
  token: checkToken,
  baseUrl: checkBaseUrl,
  models: offerModels(offeredModel),
} satisfies OptionTable<VeoProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkVeoOptions(options: VeoProviderOptions) {
  return checkOptions('veoProvider', options, table)
}
