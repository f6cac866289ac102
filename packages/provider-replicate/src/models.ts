import { flux } from './catalogue/flux.ts'
import { imageTools } from './catalogue/image-tools.ts'
import { images } from './catalogue/images.ts'
import { videos } from './catalogue/videos.ts'

/**
 * Models of Replicate that are in demand, as data for the option `models` of `replicateProvider`: the model, its fields,
 * what it accepts in them, and its price or `price: 'unknown'`. The comment of each entry gives the dates of its schema
 * and of its price, and who names that price. Spread an entry to change it.
 * @example
 * replicateProvider({
 *   token: process.env.REPLICATE_API_TOKEN!,
 *   models: [replicateModels.nanoBanana2, { ...replicateModels.veo31, id: 'film', retentionDays: 2 }],
 * })
 */
export const replicateModels = { ...flux, ...images, ...imageTools, ...videos }
