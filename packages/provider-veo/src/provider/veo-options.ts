import { checkBaseUrl, checkOptions, checkPrice, type OptionTable, type Price } from '@genmount/core'
import {
  type GoogleModelOptions,
  googleModels,
  type GoogleOptions,
  googleOptions,
} from '@genmount/google-http'
import { checkToken } from '@genmount/vendor-http'
import { ownParameters, veoInput } from './veo-input.ts'

/** A Veo model of a gateway, as the app offers it. */
export interface VeoModel extends GoogleModelOptions {
  /** The price in US dollars of each second of film. @default none: jobs have no known cost */
  readonly price?: Price | undefined
}

/** The options of `veoProvider`. `token` is the gateway's key. */
export interface VeoProviderOptions extends Omit<GoogleOptions<VeoModel>, 'baseUrl'> {
  /** The address of the gateway, in front of `/models`, such as `https://gateway.example/v1beta`. */
  readonly baseUrl: string
}

const table = {
  ...googleOptions,
  token: checkToken,
  baseUrl: checkBaseUrl,
  models: googleModels({
    outputKind: 'video',
    inputFor: veoInput,
    ownParameters,
    typicalMs: 90_000,
    per: 'second',
    price: checkPrice,
  }),
} satisfies OptionTable<VeoProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkVeoOptions(options: VeoProviderOptions) {
  return checkOptions('veoProvider', options, table)
}
