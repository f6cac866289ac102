import { films } from './router/catalogue/films.ts'
import { images } from './router/catalogue/images.ts'

/**
 * Models of the Comfy Router that are in demand, as data for the option `models` of `comfyRouterProvider`: the id at the Router
 * and the schema of the input, for the time until the provider has read it at the Router. The comment of each entry says where
 * its schema is from. Spread an entry to change it.
 * @example
 * comfyRouterProvider({
 *   token: process.env.COMFY_API_KEY!,
 *   models: [comfyRouterModels.flux3Image, { ...comfyRouterModels.kling3Turbo, id: 'film', retentionDays: 2 }],
 * })
 */
export const comfyRouterModels = { ...images, ...films }
