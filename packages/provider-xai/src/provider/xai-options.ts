import {
  checkOptions,
  checkPrice,
  choice,
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
} from '@genmount/provider-kit'
import { modelEnds } from './model-ends.ts'
import { reservedParameters, usualFields } from './xai-fields.ts'

/** A model of xAI, as the app offers it. */
export interface XaiModel extends OpenModelOptions {
  /** The model's name at xAI, such as `grok-imagine-video-1.5`. @default the public id */
  readonly model?: string | undefined
  /**
   * What the model does with films. `generate`: makes a film of a prompt and pictures. `edit`: changes the film in
   * `video`. `extend`: continues the film in `video`. Only models with `outputKind: 'video'` have it.
   * @default 'generate'
   */
  readonly task?: 'generate' | 'edit' | 'extend' | undefined
  /**
   * The price of each image, or of each second of film, in US dollars. Clients see the price in the list of models. xAI
   * reports what each job has cost, so the price counts only if an answer has no cost, for example behind a gateway.
   * @default none: clients see no price
   */
  readonly price?: Price | undefined
}

/** The options of `xaiProvider`. */
export interface XaiProviderOptions extends HostedOptions<XaiModel> {}

/** What this provider needs to know about a model. */
export type OfferedModel = ReturnType<typeof offeredModel>

const modelTable = {
  model: optional(text('the name of a model at xAI')),
  task: optional(choice('generate', 'edit', 'extend')),
  ...openModelOptions,
  price: checkPrice,
} satisfies OptionTable<XaiModel>

function offeredModel(options: XaiModel, at: string, id: string) {
  const checked = checkOptions(at, options, modelTable)
  const { model: slug = id, outputKind, task = 'generate', price } = checked
  const isImage = outputKind === 'image'
  if (isImage && checked.task !== undefined)
    throw new TypeError(`${at}.task is for models with outputKind 'video' only.`)
  return {
    ...openModel(at, checked, {
      usual: usualFields(slug, outputKind, task),
      reserved: reservedParameters,
    }),
    slug,
    outputKind,
    task,
    price,
    end: endOf(modelEnds, slug),
    typicalMs: isImage ? 10_000 : 30_000,
    shownPrice: shownPrice(price, isImage ? 'image' : 'second'),
  }
}

const table = {
  ...hostedOptions('XAI_API_KEY', 'https://api.x.ai/v1'),
  models: offerModels(offeredModel),
} satisfies OptionTable<XaiProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkXaiOptions(options: XaiProviderOptions) {
  return checkOptions('xaiProvider', options, table)
}
