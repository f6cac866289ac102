import type { OutputKind } from '@genmount/core'
import { sizeOfRatio, type VendorFields } from '@genmount/provider-kit'

type OpenFieldName = keyof VendorFields

/** The names of our fields at a family of endpoints. */
export interface EndpointFamily {
  readonly fields: VendorFields
  /** Parameters of the endpoint that our fields or this provider set under names that no field of ours has. */
  readonly sets: readonly string[]
  /** The fields without which the endpoint can't make anything. @default a prompt, or something that can stand in for it */
  readonly required?: readonly OpenFieldName[] | undefined
  /** Whether the published schema of the endpoint has a webhook. */
  readonly takesWebhook: boolean
}

/** What most endpoints of BFL lack. Only FLUX 3 has a `resolution`. A request makes one output. */
const lacked = { negative_prompt: false, resolution: false, num_outputs: false } as const

const flux2 = (mostPictures: number, more: VendorFields = {}) =>
  sized({ step: 16 }, { image: pictureNames(mostPictures), ...more })

/** Films. They take no webhook (@ai-sdk/black-forest-labs 2.0.41, docs). */
const flux3Films: EndpointFamily = {
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
  takesWebhook: false,
}

const tiers: ReadonlyMap<string, string> = new Map(Object.entries({ '720p': 'hd', '1080p': 'fhd' }))

/**
 * Pictures. Their schema is strict, and has neither a `mode` nor a size in pixels nor a webhook.
 * @see https://docs.bfl.ai/flux_3/flux3_image_overview
 */
function flux3Pictures(more: VendorFields = {}): EndpointFamily {
  const fields: VendorFields = {
    image: 'images[10]',
    resolution: (size) => ({ resolution: size.toLowerCase() }),
    seed: false,
    ...more,
  }
  return { ...plain(fields), takesWebhook: false }
}

/** A tool that changes a picture or a film. Its published schema has no webhook. */
function tool(fields: VendorFields, required: EndpointFamily['required']): EndpointFamily {
  const file: VendorFields = { aspect_ratio: false, seed: false, duration: false, fps: false }
  return { ...plain({ ...file, ...fields }), required, takesWebhook: false }
}

/**
 * The families by the names of their endpoints; the first match counts. Read in BFL's OpenAPI document, as
 * tryAGI/BlackForestLabs@dfc296a (2026-05-01) has it, for films of FLUX 3 in @ai-sdk/black-forest-labs 2.0.41, for its pictures in
 * stored copies of docs.bfl.ai/flux_3 and of Comfy Router's schemas (docs.comfy.org), and for the tools in stored copies of
 * docs.bfl.ml/api-reference/models and docs.composio.dev/toolkits/bfl (version 20261014); the copies read on 2026-11-27. The
 * name of Klein's endpoint is that of AI Gateway's model, because no copy of BFL's page was there.
 */
const families: readonly (readonly [RegExp, EndpointFamily])[] = [
  [/^flux-3-video/, flux3Films],
  [/^flux-3-.*klein/, flux3Pictures({ seed: 'seed' })],
  [/^flux-3/, flux3Pictures()],
  [/^flux-2-klein/, flux2(4)],
  [/^flux-2-flex/, flux2(8, { guidance: 'guidance' })],
  [/^flux-kontext/, plain({ image: pictureNames(4) })],
  [/^flux-pro-1\.1-ultra/, plain({ image: 'image_prompt' })],
  [/^flux-pro-1\.1/, sized({ step: 32, most: 1440 }, { image: 'image_prompt' })],
  [/^flux-dev/, sized({ step: 32, most: 1440 }, { image: 'image_prompt', guidance: 'guidance' })],
  [/^flux-pro-1\.0-fill/, plain({ mask: 'mask', guidance: 'guidance', aspect_ratio: false })],
  [/^flux-pro-1\.0-expand/, plain({ guidance: 'guidance', aspect_ratio: false })],
  [/^flux-tools\/erase/, tool({ prompt: false, mask: 'mask' }, ['image', 'mask'])],
  [/^flux-tools\/deblur/, tool({ prompt: false, seed: 'seed' }, ['image'])],
  [
    /^flux-tools\/vto-v1/,
    {
      ...tool({ image: ['person', 'garment'], seed: 'seed' }, ['prompt', 'image']),
      takesWebhook: true,
    },
  ],
  [/^flux-tools\/video-edit/, tool({ image: false, video: 'video' }, ['prompt', 'video'])],
  [/^flux-tools\/video-upscale/, tool({ image: false, video: 'input_video' }, ['video'])],
  [
    /^flux-tools\/outpainting/,
    {
      ...sized({ step: 16 }, { image: 'input_image', seed: false }),
      required: ['image', 'aspect_ratio'],
      takesWebhook: false,
    },
  ],
]

/** The family of an endpoint. An unknown endpoint is treated like FLUX.2, or like FLUX 3 for films. */
export function familyOf(endpoint: string, outputKind: OutputKind): EndpointFamily {
  const family = families.find(([pattern]) => pattern.test(endpoint))?.[1]
  return family ?? (outputKind === 'video' ? flux3Films : flux2(8))
}

function plain(fields: VendorFields): EndpointFamily {
  return { fields: { ...lacked, ...fields }, sets: [], takesWebhook: true }
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
  return { ...plain({ aspect_ratio, ...fields }), sets: ['width', 'height'] }
}

/** The names of several pictures: `input_image`, `input_image_2` and so on. */
function pictureNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `input_image${index === 0 ? '' : `_${index + 1}`}`)
}
