import type { OutputKind } from '@genmount/core'
import { sizeOfRatio, type VendorFields } from '@genmount/provider-kit'

/** The names of our fields at a family of endpoints. */
export interface EndpointFamily {
  readonly fields: VendorFields
  /** Parameters of the endpoint that our fields or this provider set under names that no field of ours has. */
  readonly sets: readonly string[]
}

/** What most endpoints of BFL lack. Only FLUX 3 has a `resolution`. A request makes one output. */
const lacked = { negative_prompt: false, resolution: false, num_outputs: false } as const

const flux2 = (mostPictures: number, more: VendorFields = {}) =>
  sized({ step: 16 }, { image: pictureNames(mostPictures), ...more })

const flux3: EndpointFamily = {
  fields: {
    ...lacked,
    image: 'keyframes[9]',
    last_frame: 'keyframes[1]',
    video: 'start_video',
    sound: 'generate_audio',
    resolution: (size) => ({ resolution: tiers.get(size) ?? size }),
    seed: false,
    fps: false,
  },
  sets: ['mode'],
}

const tiers: ReadonlyMap<string, string> = new Map(Object.entries({ '720p': 'hd', '1080p': 'fhd' }))

/**
 * The families by the names of their endpoints; the first match counts. Read in BFL's OpenAPI document, as
 * tryAGI/BlackForestLabs@dfc296a (2026-05-01) has it, and for FLUX 3 in @ai-sdk/black-forest-labs 2.0.41.
 */
const families: readonly (readonly [RegExp, EndpointFamily])[] = [
  [/^flux-3/, flux3],
  [/^flux-2-klein/, flux2(4)],
  [/^flux-2-flex/, flux2(8, { guidance: 'guidance' })],
  [/^flux-kontext/, plain({ image: pictureNames(4) })],
  [/^flux-pro-1\.1-ultra/, plain({ image: 'image_prompt' })],
  [/^flux-pro-1\.1/, sized({ step: 32, most: 1440 }, { image: 'image_prompt' })],
  [/^flux-dev/, sized({ step: 32, most: 1440 }, { image: 'image_prompt', guidance: 'guidance' })],
  [/^flux-pro-1\.0-fill/, plain({ mask: 'mask', guidance: 'guidance', aspect_ratio: false })],
  [/^flux-pro-1\.0-expand/, plain({ guidance: 'guidance', aspect_ratio: false })],
]

/** The family of an endpoint. An unknown endpoint is treated like FLUX.2, or like FLUX 3 for films. */
export function familyOf(endpoint: string, outputKind: OutputKind): EndpointFamily {
  const family = families.find(([pattern]) => pattern.test(endpoint))?.[1]
  return family ?? (outputKind === 'video' ? flux3 : flux2(8))
}

function plain(fields: VendorFields): EndpointFamily {
  return { fields: { ...lacked, ...fields }, sets: [] }
}

/**
 * An endpoint that takes width and height instead of a ratio. The size has at most 1024 x 1024 pixels, because BFL
 * charges by the megapixel.
 */
function sized(grid: Parameters<typeof sizeOfRatio>[1], fields: VendorFields): EndpointFamily {
  function aspect_ratio(ratio: string) {
    const size = sizeOfRatio(ratio, grid)
    if (size) return size
    throw new Error(`${ratio} is not a ratio.`)
  }
  return { fields: { ...lacked, aspect_ratio, ...fields }, sets: ['width', 'height'] }
}

/** The names of several pictures: `input_image`, `input_image_2` and so on. */
function pictureNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `input_image${index === 0 ? '' : `_${index + 1}`}`)
}
