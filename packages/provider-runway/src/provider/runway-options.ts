import {
  checkOptions,
  checkPrice,
  optional,
  type OptionTable,
  type Price,
  shownPrice,
  text,
  endOf,
} from '@genmount/core'
import {
  type HostedOptions,
  hostedOptions,
  offerModels,
  openModel,
  type OpenModelOptions,
  openModelOptions,
  type VendorFields,
} from '@genmount/provider-kit'
import { mostSpreadOutputs } from '@genmount/provider-kit/spreading'
import { modelEnds } from './model-ends.ts'
import { oneForEachTask, traitsOf } from './known-models.ts'

/** A model of Runway, as the app offers it. */
export interface RunwayModel extends OpenModelOptions {
  /** The model at Runway. @example 'gen4.5' */
  readonly model: string
  /**
   * The endpoint to which the model's tasks are posted: what follows `/v1/` in its address.
   * @default by the input: `text_to_image` for images; for videos `video_to_video` with a film, `image_to_video` with a
   * first frame, else `text_to_video`
   * @example 'image_upscale'
   */
  readonly endpoint?: string | undefined
  /**
   * Which fields of the interface the model has, and how Runway calls them, if the model differs from the known traits;
   * `false` refuses a field.
   * @default the fields of the model of that name. An unknown model has prompt, image, aspect ratio, seed and duration
   * @example { image: 'imageUri', prompt: false, seed: false }
   */
  readonly fields?: VendorFields | undefined
  /** The price of each credit in US dollars. Runway says how many credits a job has cost. @default 0.01 */
  readonly price?: Price | undefined
}

/** The options of `runwayProvider`. */
export interface RunwayProviderOptions extends HostedOptions<RunwayModel> {}

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

const modelTable = {
  model: text('the name of a model of Runway, such as gen4.5', /^[a-z\d][\w.-]*$/i),
  endpoint: optional(text('the name of an endpoint of Runway, such as image_upscale', /^[a-z][a-z_]*$/)),
  ...openModelOptions,
  price: checkPrice,
} satisfies OptionTable<RunwayModel>

function offeredModel(options: RunwayModel, at: string) {
  const { model, endpoint, price = 0.01, ...checked } = checkOptions(at, options, modelTable)
  const { outputKind } = checked
  const { fields: usual, required } = traitsOf(model, outputKind)
  const isRatioOurs = checked.fields.aspect_ratio === undefined
  const reserved = ['model', ...(isRatioOurs ? ['ratio'] : [])]
  const fields = { ...usual, ...checked.fields }
  const isSpread = fields.num_outputs === oneForEachTask
  const limits = { ...(isSpread && { num_outputs: { max: mostSpreadOutputs } }), ...checked.limits }
  return {
    model,
    endpoint,
    outputKind,
    required,
    isSpread,
    ...openModel(at, { ...checked, fields, limits }, { reserved }),
    price,
    end: endOf(modelEnds, model),
    isCostKnown: true,
    shownPrice: shownPrice(price, 'credit of Runway'),
  }
}

const table = {
  ...hostedOptions('RUNWAYML_API_SECRET', 'https://api.dev.runwayml.com/v1'),
  models: offerModels(offeredModel),
} satisfies OptionTable<RunwayProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkRunwayOptions(options: RunwayProviderOptions) {
  return checkOptions('runwayProvider', options, table)
}
