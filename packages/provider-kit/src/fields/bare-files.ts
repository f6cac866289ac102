import type { Json, JsonObject } from '@genmount/core'

const files = ['image', 'last_frame', 'mask', 'video', 'reference_images', 'reference_videos', 'audio']

/** The input with bare base64 in the place of data URIs, in the fields of the vocabulary that take files. */
export function withBareFiles(input: JsonObject): JsonObject {
  const fields = Object.entries(input)
  return Object.fromEntries(fields.map(([name, value]) => [name, files.includes(name) ? bare(value) : value]))
}

function bare(value: Json): Json {
  if (Array.isArray(value)) return value.map((one) => bare(one as Json))
  return typeof value === 'string' ? value.replace(/^data:[^,]*;base64,/i, '') : value
}
