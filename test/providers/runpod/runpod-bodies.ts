import * as v from 'valibot'
import { fields, filled, oneOf, whole } from '../body-schemas.ts'

/*
 * What Runpod and its workers accept. Sources: serverless/endpoints/{send-requests,operation-reference}.mdx and
 * public-endpoints/models/{z-image-turbo,wan-2-6-t2v,vidu-q3-t2v,nano-banana-2-edit}.mdx of runpod/docs@a900806e (2026-08-20);
 * README.md of runpod-workers/worker-comfyui@d2a5572 (5.8.5, 2026-03-20). Read on 2026-11-27.
 */

const weekMs = 604_800_000
const link = v.pipe(v.string(), v.url())

/** The body of `POST /{endpoint}/run`. */
export const runBody = v.strictObject({
  input: v.looseObject({}),
  webhook: v.optional(link),
  policy: v.optional(
    v.strictObject({
      executionTimeout: whole(5000, weekMs),
      ttl: whole(10_000, weekMs),
      lowPriority: v.optional(v.boolean()),
    }),
  ),
  ...fields('s3Config'),
})

const seed = whole(-1, Number.MAX_SAFE_INTEGER)
const node = v.looseObject({ class_type: filled, inputs: v.looseObject({}) })
const image = v.strictObject({ name: filled, image: filled })

/** What the workers of the fake take as `input`, by the ids of their endpoints. */
const inputs: Readonly<Record<string, v.ObjectEntries>> = {
  'wan-2-6-t2v': {
    prompt: filled,
    negative_prompt: v.optional(v.string()),
    duration: v.optional(v.picklist([5, 10, 15])),
    size: oneOf('1280*720 1920*1080 720*1280 1080*1920'),
    shot_type: oneOf('single multi'),
    seed,
    enable_prompt_expansion: v.optional(v.boolean()),
    audio: v.optional(link),
  },
  'vidu-q3-t2v': {
    prompt: filled,
    style: oneOf('general anime'),
    resolution: oneOf('540p 720p 1080p'),
    duration: whole(1, 16),
    aspect_ratio: oneOf('16:9 9:16 4:3 3:4 1:1'),
    movement_amplitude: oneOf('auto small medium large'),
    generate_audio: v.optional(v.boolean()),
    bgm: v.optional(v.boolean()),
    seed,
  },
  'z-image-turbo': {
    prompt: filled,
    image: v.optional(link),
    size: oneOf('512*512 768*768 1024*1024 1280*1280 1024*768 768*1024 1280*720 720*1280'),
    strength: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    seed,
    output_format: oneOf('png jpeg webp'),
    enable_safety_checker: v.optional(v.boolean()),
  },
  'google-nano-banana-2-edit': {
    prompt: filled,
    images: v.pipe(v.array(link), v.minLength(1), v.maxLength(14)),
    resolution: oneOf('1k 2k 4k'),
    aspect_ratio: v.optional(v.pipe(v.string(), v.regex(/^\d+:\d+$/))),
    output_format: oneOf('png jpeg'),
    enable_base64_output: v.optional(v.boolean()),
  },
  // An endpoint with worker-comfyui.
  '4k8c0mfyui2q': {
    workflow: v.record(v.string(), node),
    images: v.optional(
      v.pipe(
        v.array(image),
        v.check(
          (images) => new Set(images.map(({ name }) => name)).size === images.length,
          'Names must differ.',
        ),
      ),
    ),
    ...fields('comfy_org_api_key'),
  },
}

/** What the worker of an endpoint takes. @returns `undefined` when there is no such endpoint */
export function inputOf(endpoint: string): v.GenericSchema | undefined {
  return Object.hasOwn(inputs, endpoint) ? v.strictObject(inputs[endpoint]!) : undefined
}
