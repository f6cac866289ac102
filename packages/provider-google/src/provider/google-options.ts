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
import { type GoogleFilmTokenPrices, filmTokenKinds } from './interaction-tokens.ts'
import { imageInput, omniInput, ownOfGemini, ownOfOmni, ownOfVeo, videoInput } from './model-inputs.ts'
import { omniVideos } from './omni-videos.ts'
import { veoVideos } from './veo-videos.ts'

/** A model of Google, as the app offers it. */
export interface GoogleModel extends ModelOptions, ProviderOptionsAllowance {
  /** The model's name at Google. @default the public id */
  readonly model?: string | undefined
  /**
   * Whether the model makes videos or images.
   * @default 'video' when Google's name begins with `gemini-omni` or `veo`, else 'image'
   */
  readonly outputKind?: OutputKind | undefined
  /**
   * How a model is asked for videos: `interactions` as a Gemini Omni model, `operations` as a Veo model, which Google
   * itself has shut down and only gateways still serve.
   * @default 'operations' when Google's name begins with `veo`, else 'interactions'
   */
  readonly videoApi?: 'interactions' | 'operations' | undefined
  /**
   * The price in US dollars. For videos: of each second, or for Gemini Omni of a million tokens of each kind. For
   * images: of each image, or of a million tokens of each kind.
   * @default none: jobs have no known cost
   */
  readonly price?: Price | GoogleTokenPrices | GoogleFilmTokenPrices | undefined
}

/** The options of `googleProvider`. */
export interface GoogleProviderOptions extends HostedOptions<GoogleModel> {
  /** Fetches the picture URLs of clients and the video URLs of Google. @default guardedFetch */
  readonly fetchFile?: GuardedFetch | undefined
}

const vendorName = text('the name of a model at Google, such as gemini-omni-1.1-flash', /^[\w.-]+$/)

const modelTable = {
  ...modelOptions,
  model: optional(vendorName),
  outputKind: optional(choice('image', 'video')),
  videoApi: optional(choice('interactions', 'operations')),
  allowedProviderOptions: checkAllowedOptions,
  // Checked when it is known whether the model makes videos or images, which have different prices.
  price: (_name, price) => price,
} satisfies OptionTable<GoogleModel>

function offeredModel(options: GoogleModel, at: string, id: string) {
  const { price, ...checked } = checkOptions(at, options, modelTable)
  const { model = vendorName(`${at}.model`, id) } = checked
  const { outputKind = /^(?:veo|gemini-omni)/.test(model) ? 'video' : 'image' } = checked
  const { videoApi = model.startsWith('veo') ? 'operations' : 'interactions' } = checked
  const ruleBeside = (own: readonly string[]) =>
    checkAllowedOptions(`${at}.allowedProviderOptions`, options.allowedProviderOptions, own)
  const isCostKnown = price !== undefined
  if (outputKind === 'video' && videoApi === 'interactions') {
    const costOf = usagePricer(`${at}.price`, price, filmTokenKinds)
    const workAt = (api: GoogleApi) => omniVideos(api, model, costOf)
    return {
      outputKind,
      input: modelInput(omniInput(ruleBeside(ownOfOmni))),
      typicalMs: 60_000,
      isCostKnown,
      shownPrice: shownUsagePrice(price, 'second'),
      isCancellable: true,
      workAt,
    }
  }
  if (outputKind === 'video') {
    const perSecond = checkPrice(`${at}.price`, price)
    const workAt = (api: GoogleApi) => veoVideos(api, model, perSecond)
    return {
      outputKind,
      input: modelInput(videoInput(ruleBeside(ownOfVeo))),
      typicalMs: 90_000,
      isCostKnown,
      shownPrice: shownPrice(perSecond, 'second'),
      isCancellable: false,
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
    isCancellable: false,
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
