import type { Json } from '@genmount/core'

/**
 * Files as vendors expect them that accept URLs and bare base64, but no data URIs: of a data URI in base64, only the base64
 * remains. Lists are changed in each of their items, and any other value stays as it is.
 */
export function bareBase64(value: Json): Json {
  if (Array.isArray(value)) return value.map((one) => bareBase64(one as Json))
  return typeof value === 'string' ? value.replace(/^data:[^,]*;base64,/i, '') : value
}
