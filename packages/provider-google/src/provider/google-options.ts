import {
  callable,
  checkOptions,
  checkPrice,
  choice,
  optional,
  type OptionTable,
  type OutputKind,
  type Price,
  shownPrice,
  text,
} from '@genmount/core'
import { type GuardedFetch, guardedFetch } from '@genmount/guarded-fetch'
import { checkAllowedOptions, modelInput, type ProviderOptionsAllowance } from '@genmount/input-fields'
import {
  type HostedOptions,
  hostedOptions,
  type ModelOptions,
  modelOptions,
  offerModels,
  shownUsagePrice,
  usagePricer,
} from '@genmount/vendor-http'
import { geminiImages } from './gemini-images.ts'
import { type GoogleTokenPrices, tokenKinds } from './gemini-tokens.ts'
import type { GoogleApi } from './google-api.ts'
import { imageInput, ownOfGemini, ownOfVeo, videoInput } from './model-inputs.ts'
import { veoVideos } from './veo-videos.ts'

/** A model of Google, as the app offers it. */
export interface GoogleModel extends ModelOptions, ProviderOptionsAllowance {
  /** The model's name at Google. @default the public id */
  readonly model?: string | undefined
  /**
   * `video` calls the model as a Veo model, `image` as a Gemini model.
   * @default 'video' when Google's name begins with `veo`, else 'image'
   */
  readonly outputKind?: OutputKind | undefined
  /**
   * The price in US dollars. For videos: of each second. For images: of each image, or of a million tokens of each
   * kind.
   * @default none: jobs have no known cost
   */
  readonly price?: Price | GoogleTokenPrices | undefined
}

/** The options of `googleProvider`. */
export interface GoogleProviderOptions extends HostedOptions<GoogleModel> {
  /** Fetches the picture URLs of clients and the video URLs of Google. @default guardedFetch */
  readonly fetchFile?: GuardedFetch | undefined
}

const vendorName = text('the name of a model at Google, such as veo-3.1-generate-preview', /^[\w.-]+$/)

const modelTable = {
  ...modelOptions,
  model: optional(vendorName),
  outputKind: optional(choice('image', 'video')),
  allowedProviderOptions: checkAllowedOptions,
  // Checked when it is known whether the model makes videos or images, which have different prices.
  price: (_name, price) => price,
} satisfies OptionTable<GoogleModel>

function offeredModel(options: GoogleModel, at: string, id: string) {
  const { price, ...checked } = checkOptions(at, options, modelTable)
  const { model = vendorName(`${at}.model`, id) } = checked
  const { outputKind = model.startsWith('veo') ? 'video' : 'image' } = checked
  const ruleBeside = (own: readonly string[]) =>
    checkAllowedOptions(`${at}.allowedProviderOptions`, options.allowedProviderOptions, own)
  const isCostKnown = price !== undefined
  if (outputKind === 'video') {
    const perSecond = checkPrice(`${at}.price`, price)
    const workAt = (api: GoogleApi) => veoVideos(api, model, perSecond)
    return {
      outputKind,
      input: modelInput(videoInput(ruleBeside(ownOfVeo))),
      typicalMs: 90_000,
      isCostKnown,
      shownPrice: shownPrice(perSecond, 'second'),
      workAt,
    }
  }
  const costOf = usagePricer(`${at}.price`, price, tokenKinds)
  const workAt = (api: GoogleApi) => geminiImages(api, model, costOf)
  return {
    outputKind,
    input: modelInput(imageInput(ruleBeside(ownOfGemini))),
    typicalMs: 15_000,
    isCostKnown,
    shownPrice: shownUsagePrice(price, 'image'),
    workAt,
  }
}

const table = {
  ...hostedOptions('GEMINI_API_KEY or GOOGLE_API_KEY', 'https://generativelanguage.googleapis.com/v1beta'),
  models: offerModels(offeredModel),
  fetchFile: optional(callable<GuardedFetch>('guardedFetch'), guardedFetch),
} satisfies OptionTable<GoogleProviderOptions>

/** Checks the options of the provider. @throws TypeError that names the option */
export function checkGoogleOptions(options: GoogleProviderOptions) {
  return checkOptions('googleProvider', options, table)
}
