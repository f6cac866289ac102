import { bytedance } from './catalogue/bytedance.ts'
import { designImages } from './catalogue/design-images.ts'
import { flux } from './catalogue/flux.ts'
import { fluxKontext } from './catalogue/flux-kontext.ts'
import { googleVideos } from './catalogue/google-videos.ts'
import { kling } from './catalogue/kling.ts'
import { klingTurboAndOmni } from './catalogue/kling-turbo-and-omni.ts'
import { minimax } from './catalogue/minimax.ts'
import { nanoBanana } from './catalogue/nano-banana.ts'
import { otherImages } from './catalogue/other-images.ts'
import { otherVideos } from './catalogue/other-videos.ts'

/**
 * Models of fal that are in demand, as data for the option `models` of `falProvider`: the endpoint, its fields, what it
 * accepts in them, and the price of each of fal's billable units or `price: 'unknown'`. The comment of each entry gives the
 * dates of its schema and of its price, and who names that price. Spread an entry to change it.
 * @example
 * falProvider({
 *   token: process.env.FAL_KEY!,
 *   models: [falModels.nanoBanana2, { ...falModels.veo31, id: 'film', retentionDays: 2 }],
 * })
 */
export const falModels = {
  ...flux,
  ...fluxKontext,
  ...nanoBanana,
  ...googleVideos,
  ...bytedance,
  ...otherImages,
  ...designImages,
  ...klingTurboAndOmni,
  ...kling,
  ...minimax,
  ...otherVideos,
}
