import {
  checkOptions,
  checkPrice,
  type JsonObject,
  optional,
  type OptionTable,
  type Price,
  shownPrice,
  text,
  endOf,
} from '@genmount/core'
import {
  fixedParameters,
  type HostedOptions,
  hostedOptions,
  offerModels,
  openModel,
  type OpenModelOptions,
  openModelOptions,
} from '@genmount/provider-kit'
import { modelEnds } from './model-ends.ts'
import { reservedParameters, sizeFields, usualFields, usualLimits } from './ark-fields.ts'

/** A model of ModelArk, as the app offers it. */
export interface ArkModel extends OpenModelOptions {
  /**
   * The model's id at ModelArk, such as `dreamina-seedance-2-0-mini-260615`, or the id of an endpoint.
   * @default the public id
   */
  readonly model?: string | undefined
  /**
   * The price in US dollars: of each image, or of a million tokens of film, as ModelArk counts them. One second of film
   * has about 20,000 tokens at 720p.
   * @default none: jobs have no known cost
   */
  readonly price?: Price | undefined
  /**
   * Parameters of every request for this model, as ModelArk names them. They win over the client's values, and a field
   * that sets one of them is omitted from the model's input.
   * @default none
   * @example { watermark: false, service_tier: 'flex' }
   */
  readonly providerOptions?: JsonObject | undefined
}

/** The options of `arkProvider`. */
export interface ArkProviderOptions extends HostedOptions<ArkModel> {}

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

const such = '{ watermark: false }'

const modelTable = {
  model: optional(text('the id of a model or endpoint at ModelArk')),
  ...openModelOptions,
  price: checkPrice,
  providerOptions: fixedParameters(such),
} satisfies OptionTable<ArkModel>

function offeredModel(options: ArkModel, at: string, id: string) {
  const checked = checkOptions(at, options, modelTable)
  const { model: slug = id, outputKind, price } = checked
  const reserved = reservedParameters[outputKind]
  const fixed = fixedParameters(such, reserved)(`${at}.providerOptions`, checked.providerOptions)
  const isImage = outputKind === 'image'
  // Two fields determine the `size` of images.
  const parameters = Object.keys(fixed).flatMap((name) => (name === 'size' ? ['size', ...sizeFields] : name))
  return {
    ...openModel(
      at,
      { ...checked, limits: { ...usualLimits(slug, outputKind), ...checked.limits } },
      {
        usual: usualFields(slug, outputKind),
        reserved: [...reserved, ...(isImage ? ['size'] : [])],
        fixed: parameters,
      },
    ),
    slug,
    outputKind,
    fixed,
    price,
    end: endOf(modelEnds, slug),
    typicalMs: isImage ? 15_000 : 60_000,
    isCostKnown: price !== undefined,
    shownPrice: shownPrice(price, isImage ? 'image' : 'million tokens'),
  }
}

const table = {
  ...hostedOptions('ARK_API_KEY', 'https://ark.ap-southeast.bytepluses.com/api/v3'),
  models: offerModels(offeredModel),
} satisfies OptionTable<ArkProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkArkOptions(options: ArkProviderOptions) {
  return checkOptions('arkProvider', options, table)
}
