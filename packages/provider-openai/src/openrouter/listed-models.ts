import { definedFields, type OpenModelOptions, recordOf, type VendorFields } from '@genmount/provider-kit'
import { type SkuPrice, skuPrice } from './sku-price.ts'

/** What OpenRouter's list says of a model. */
export interface ListedModel {
  readonly slug: string
  readonly fields: VendorFields
  readonly limits: NonNullable<OpenModelOptions['limits']>
  readonly price: SkuPrice | undefined
}

/**
 * Reads `GET /videos/models`. What the list does not say of a model stays open. Models that only enlarge or edit films are
 * left out, because they take no prompt alone.
 * @see https://openrouter.ai/docs/api-reference/video-generation/list-all-video-generation-models
 * @returns `undefined` when this is no such list
 */
export function listedModels(answer: unknown): readonly ListedModel[] | undefined {
  const { data } = recordOf(answer)
  if (!Array.isArray(data)) return undefined
  return data.flatMap((entry) => {
    const model = recordOf(entry)
    const { id } = model
    const isOfFilms = recordOf(model['upscale_factor'])['max'] === undefined && !model['creativity']
    return typeof id === 'string' && id.trim() === id && id !== '' && isOfFilms
      ? [listedModel(id, model)]
      : []
  })
}

function listedModel(slug: string, model: Readonly<Record<string, unknown>>): ListedModel {
  const durations = listOf('number', model['supported_durations'])
  const frames = listOf('string', model['supported_frame_images'])
  return {
    slug,
    fields: {
      ...(frames && !frames.includes('first_frame') && { image: false }),
      ...(frames && !frames.includes('last_frame') && { last_frame: false }),
      ...(model['generate_audio'] === false && { sound: false }),
      ...(model['seed'] === false && { seed: false }),
    },
    limits: definedFields({
      duration: durations,
      resolution: listOf('string', model['supported_resolutions']),
      aspect_ratio: listOf('string', model['supported_aspect_ratios']),
    }),
    price: skuPrice(recordOf(model['pricing_skus']), durations && Math.max(...durations)),
  }
}

function listOf<const Type extends 'string' | 'number'>(type: Type, value: unknown) {
  type Item = Type extends 'string' ? string : number
  const isList = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === type)
  return isList ? (value as readonly Item[]) : undefined
}
