import type { Json } from '@genmount/core'
import { sizeOfRatio } from '@genmount/provider-kit'

/** The resolution of Seedream's images if the request does not set one. */
const usualResolution = '2K'

/**
 * The `size` of Seedream: a word such as `2K`, or width and height. Seedream has no parameter for the aspect ratio, so
 * width and height are calculated: they have the aspect ratio, and at most as many pixels as a square of that resolution.
 * @returns an empty string when the request sets neither, `undefined` when the size can't be calculated
 * @example imageSize('16:9', '2K') // '2720x1536'
 */
export function imageSize(aspectRatio: Json | undefined, resolution: Json | undefined): string | undefined {
  if (aspectRatio === undefined) return String(resolution ?? '')
  const [, thousands] = /^([1-9])K$/i.exec(String(resolution ?? usualResolution)) ?? []
  if (thousands === undefined) return undefined
  const size = sizeOfRatio(String(aspectRatio), { step: 16, side: Number(thousands) * 1024 })
  return size && `${size.width}x${size.height}`
}
