import { type Check, checkOptions, optional, type OptionTable, type OutputKind, endOf } from '@genmount/core'
import {
  checkAllowedOptions,
  modelInput,
  type ModelOptions,
  modelOptions,
  offerModels,
  type ProviderOptionsAllowance,
  type ProviderOptionsRule,
  usagePricer,
} from '@genmount/provider-kit'
import { googleModelName } from './google-client.ts'
import { modelEnds } from './model-ends.ts'

/** The options of a model of Google. */
export interface GoogleModelOptions extends ModelOptions, ProviderOptionsAllowance {
  /** The model's name at Google. @default the public id */
  readonly model?: string | undefined
  /** The price, which each provider declares as Google bills it. @default none: jobs have no known cost */
  readonly price?: unknown
}

/** The properties that all models of a provider share. */
export interface GoogleModelKind<Kind extends string> {
  /** The kind of their outputs. */
  readonly outputKind: OutputKind
  /** The schema of their input, by the `provider_options` that clients may set and the name of the model at Google. */
  readonly inputFor: (rule: ProviderOptionsRule, model: string) => Parameters<typeof modelInput>[0]
  /** The parameters that the input's fields or the provider set, which clients therefore may not set. */
  readonly ownParameters: readonly string[]
  /** How long a job usually takes, in milliseconds. */
  readonly typicalMs: number
  /** The unit of a price that is not for tokens, in the singular. */
  readonly per: string
  /** The kinds of tokens that Google has prices for. */
  readonly tokenKinds: readonly Kind[]
  /** Checks the names that models have at Google. @default googleModelName */
  readonly modelName?: Check<string>
}

/** Makes the check of the option `models` of a provider whose models are of one kind. */
export function googleModels<Kind extends string>(kind: GoogleModelKind<Kind>) {
  const {
    outputKind,
    inputFor,
    ownParameters,
    typicalMs,
    per,
    tokenKinds,
    modelName = googleModelName,
  } = kind
  const table = {
    ...modelOptions,
    model: optional(modelName),
    allowedProviderOptions: (name: string, allowed: unknown) =>
      checkAllowedOptions(name, allowed, ownParameters),
    price: (name: string, price: unknown) => usagePricer(name, price, tokenKinds),
  } satisfies OptionTable<GoogleModelOptions>
  return offerModels((options: GoogleModelOptions, at, id) => {
    const { model, allowedProviderOptions, price } = checkOptions(at, options, table)
    const vendorModel = model ?? modelName(`${at}.model`, id)
    return {
      vendorModel,
      outputKind,
      input: modelInput(inputFor(allowedProviderOptions, vendorModel)),
      typicalMs,
      isCostKnown: options.price !== undefined,
      shownPrice: price.modelPrice(per),
      price,
      end: endOf(modelEnds, vendorModel),
    }
  })
}
