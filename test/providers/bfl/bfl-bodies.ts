import * as v from 'valibot'
import { fields, filled, oneOf, whole } from '../body-schemas.ts'

/*
 * What the endpoints of Black Forest Labs accept, by their published schemas. Sources: BFL's OpenAPI document as
 * tryAGI/BlackForestLabs@dfc296a (2026-05-01) has it; docs.bfl.ml/api-reference/models (outpaint-or-extend-an-image,
 * erase-an-object-from-an-image, virtual-try-on, flux2-klein-4b); docs.composio.dev/toolkits/bfl, version 20261014 (deblur);
 * docs.bfl.ai/flux_3/flux3_image_overview and docs.comfy.org/development/comfy-router/models/black-forest-labs/flux-3-image/code
 * (FLUX 3 Image, whose schema is strict); @ai-sdk/black-forest-labs 2.0.41 (FLUX 3 Video). Stored copies, read on 2026-11-27.
 */

const hooks = fields('webhook_url webhook_secret')
const size = { width: whole(64, 4096), height: whole(64, 4096) }
const pictures = (count: number) =>
  v.entriesFromList(
    Array.from({ length: count }, (_, index) => `input_image${index === 0 ? '' : `_${index + 1}`}`),
    v.optional(filled),
  )
const seed = whole(0, Number.MAX_SAFE_INTEGER)
const format = oneOf('jpeg png webp')
const shared = { seed, output_format: format, safety_tolerance: whole(0, 6) }
const flux2 = (count: number) => ({ prompt: filled, ...pictures(count), ...size, ...shared, ...hooks })
const oneMegapixel = { width: grid(1440), height: grid(1440), image_prompt: v.optional(filled) }
const ratios = '21:9 2:1 16:9 3:2 7:5 4:3 5:4 1:1 4:5 3:4 5:7 2:3 9:16 1:2 9:21'
const flux3Image = {
  prompt: filled,
  images: v.optional(v.pipe(v.array(filled), v.minLength(1), v.maxLength(10))),
  aspect_ratio: oneOf(`auto ${ratios}`),
  resolution: oneOf('768sq 1k 1.5k 2k 4k'),
  grounding: v.optional(v.boolean()),
  safety_tolerance: whole(0, 4),
  version: v.optional(v.string()),
}

const bodies: Readonly<Record<string, v.ObjectEntries>> = {
  'flux-2-pro': flux2(8),
  'flux-2-max': flux2(8),
  'flux-2-flex': { ...flux2(8), ...fields('guidance steps prompt_upsampling') },
  'flux-2-klein-4b': flux2(4),
  'flux-kontext-pro': {
    prompt: filled,
    ...pictures(4),
    aspect_ratio: v.optional(v.pipe(v.string(), v.regex(/^\d+:\d+$/))),
    prompt_upsampling: v.optional(v.boolean()),
    ...shared,
    ...hooks,
  },
  'flux-pro-1.1': { prompt: filled, ...oneMegapixel, ...shared, ...hooks },
  'flux-3-image': flux3Image,
  // From the AI SDK's release notes of 2026-10: also a seed, steps and a format.
  'flux-3-image-klein': { ...flux3Image, ...shared, safety_tolerance: whole(0, 7), steps: whole(1, 50) },
  'flux-3-video': {
    mode: v.picklist(['t2v', 'i2v', 'v2v', 'draft_enhance']),
    aspect_ratio: oneOf('21:9 2:1 16:9 4:3 1:1 3:4 9:16 auto'),
    resolution: oneOf('hd fhd'),
    duration: whole(5, 20),
    generate_audio: v.optional(v.boolean()),
    safety_tolerance: whole(0, 4),
    ...fields('prompt keyframes start_video draft draft_cache version'),
  },
  'flux-tools/outpainting-v1': {
    input_image: filled,
    width: v.pipe(v.number(), v.integer(), v.minValue(64)),
    height: v.pipe(v.number(), v.integer(), v.minValue(64)),
    mode: oneOf('high fast'),
    output_format: format,
    safety_tolerance: whole(0, 5),
    ...fields('prompt auto_crop reference_offset_x reference_offset_y'),
  },
  'flux-tools/erase-v1': {
    image: filled,
    mask: filled,
    dilate_pixels: whole(0, 25),
    output_format: format,
    safety_tolerance: whole(0, 5),
  },
  'flux-tools/deblur-v1': { image: filled, user: v.optional(v.string()), ...shared },
  'flux-tools/vto-v1': { prompt: filled, person: filled, garment: filled, ...shared, ...hooks },
  'flux-tools/video-upscale-v1': {
    input_video: filled,
    ...fields('prompt creativity upscale_factor safety_tolerance'),
  },
}

/** What the endpoint accepts. @returns `undefined` for an endpoint that there is not */
export function bodyOf(endpoint: string): v.GenericSchema | undefined {
  const entries = Object.hasOwn(bodies, endpoint) ? bodies[endpoint] : undefined
  return entries && v.strictObject(entries)
}

/** A side in steps of 32 pixels. */
function grid(most: number) {
  return v.optional(v.pipe(v.number(), v.multipleOf(32), v.minValue(256), v.maxValue(most)))
}
