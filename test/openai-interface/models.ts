import type { Model } from '@genmount/core'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'

const text = v.optional(v.string())

/** A model with the fields of the project's vocabulary, which makes one picture in a job and edits several. */
export const painter: Model = {
  id: 'painter',
  outputKind: 'image',
  input: toStandardJsonSchema(
    v.strictObject({
      prompt: v.string(),
      image: v.optional(v.union([v.string(), v.array(v.string())])),
      mask: text,
      aspect_ratio: v.optional(v.picklist(['1:1', '3:2', '2:3', '16:9'])),
      quality: v.optional(v.picklist(['low', 'high'])),
      format: v.optional(v.picklist(['png', 'webp'])),
      seed: v.optional(v.number()),
    }),
  ),
}

/** A model that makes films, also of a picture or of another film. */
export const filmer: Model = {
  id: 'filmer',
  outputKind: 'video',
  input: toStandardJsonSchema(
    v.strictObject({
      prompt: v.string(),
      image: text,
      video: text,
      duration: v.optional(v.picklist([5, 10])),
      aspect_ratio: v.optional(v.picklist(['1:1', '16:9', '9:16'])),
      resolution: v.optional(v.picklist(['480p', '720p', '1080p'])),
    }),
  ),
}
