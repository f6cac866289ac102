import { checkChoice, type OutputKind, type Price } from '@genmount/core'
import type { GuardedFetch } from '@genmount/guarded-fetch'
import { checkAllowedOptions, type ProviderOptionsAllowance } from '@genmount/input-fields'
import { type HostedOptions, offerModels, type ModelOptions } from '@genmount/vendor-http'
import { geminiImages } from './gemini-images.ts'
import type { GoogleTokenPrices } from './gemini-tokens.ts'
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

/** @throws TypeError that names the option */
export function offeredModels({ models }: GoogleProviderOptions, api: GoogleApi) {
  return offerModels(models, ({ model, outputKind, price, allowedProviderOptions }: GoogleModel, at, id) => {
    const vendorModel = model ?? id
    if (typeof vendorModel !== 'string' || !/^[\w.-]+$/.test(vendorModel))
      throw new TypeError(
        `${at}.model must be the name of a model at Google, such as veo-3.1-generate-preview.`,
      )
    const usualKind = vendorModel.startsWith('veo') ? 'video' : 'image'
    const kind = checkChoice(`${at}.outputKind`, outputKind ?? usualKind, ['image', 'video'])
    const ruleBeside = (own: readonly string[]) =>
      checkAllowedOptions(`${at}.allowedProviderOptions`, allowedProviderOptions, own)
    return kind === 'video'
      ? {
          outputKind: kind,
          input: videoInput(ruleBeside(ownOfVeo)),
          typicalMs: 90_000,
          isCostKnown: price !== undefined,
          work: veoVideos(api, vendorModel, at, price),
        }
      : {
          outputKind: kind,
          input: imageInput(ruleBeside(ownOfGemini)),
          typicalMs: 15_000,
          isCostKnown: price !== undefined,
          work: geminiImages(api, vendorModel, at, price),
        }
  })
}
