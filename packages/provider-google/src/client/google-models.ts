import { type Check, checkOptions, optional, type OptionTable, type OutputKind } from '@genmount/core'
import {
  checkAllowedOptions,
  modelInput,
  type ModelOffer,
  type ModelOptions,
  modelOptions,
  offerModels,
  type ProviderOptionsAllowance,
  type ProviderOptionsRule,
  shownUsagePrice,
} from '@genmount/provider-kit'
import { googleModelName } from './google-client.ts'

/** The options of a model of Google. */
export interface GoogleModelOptions extends ModelOptions, ProviderOptionsAllowance {
  /** The model's name at Google. @default the public id */
  readonly model?: string | undefined
  /** The price, which each provider declares as Google bills it. @default none: jobs have no known cost */
  readonly price?: unknown
}

/** The properties that all models of a provider share. */
export interface GoogleModelKind<Cost> {
  /** The kind of their outputs. */
  readonly outputKind: OutputKind
  /** The schema of their input, by the `provider_options` that clients may set. */
  readonly inputFor: (rule: ProviderOptionsRule) => Parameters<typeof modelInput>[0]
  /** The parameters that the input's fields or the provider set, which clients therefore may not set. */
  readonly ownParameters: readonly string[]
  /** How long a job usually takes, in milliseconds. */
  readonly typicalMs: number
  /** The unit of a price that is not for tokens, in the singular. */
  readonly per: string
  /** Checks the option `price`, and converts it to what the provider needs. */
  readonly price: Check<Cost>
  /** Checks the names that models have at Google. @default googleModelName */
  readonly modelName?: Check<string>
}

/** What a provider needs to know about a model. */
export interface GoogleModelEntry<Cost> {
  /** The model's name at Google. */
  readonly vendorModel: string
  /** The converted option `price`. */
  readonly price: Cost
}

/** Makes the check of the option `models` of a provider whose models are of one kind. */
export function googleModels<Cost>(kind: GoogleModelKind<Cost>): Check<ModelOffer<GoogleModelEntry<Cost>>> {
  const { outputKind, inputFor, ownParameters, typicalMs, per, modelName = googleModelName } = kind
  const table = {
    ...modelOptions,
    model: optional(modelName),
    allowedProviderOptions: (name: string, allowed: unknown) =>
      checkAllowedOptions(name, allowed, ownParameters),
    price: kind.price,
  } satisfies OptionTable<GoogleModelOptions>
  return offerModels((options: GoogleModelOptions, at, id) => {
    const { model, allowedProviderOptions, price } = checkOptions(at, options, table)
    return {
      vendorModel: model ?? modelName(`${at}.model`, id),
      outputKind,
      input: modelInput(inputFor(allowedProviderOptions)),
      typicalMs,
      isCostKnown: options.price !== undefined,
      shownPrice: shownUsagePrice(options.price, per),
      price,
    }
  })
}
