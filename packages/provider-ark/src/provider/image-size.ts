import type { Json } from '@genmount/core'

/** Seedream's images have this resolution unless the request says more. */
const usualResolution = '2K'

/** Widths and heights are multiples of this number of pixels. */
const step = 16

/**
 * The `size` of Seedream: a word such as `2K`, or width and height. Seedream has no parameter for the aspect ratio, so
 * width and height are calculated: they have the aspect ratio, and at most as many pixels as a square of that resolution.
 * @returns the empty text when the request says nothing, `undefined` when it can't be calculated
 * @example imageSize('16:9', '2K') // '2720x1536'
 */
export function imageSize(aspectRatio: Json | undefined, resolution: Json | undefined): string | undefined {
  if (aspectRatio === undefined) return String(resolution ?? '')
  const [, width, height] = /^([\d.]+):([\d.]+)$/.exec(String(aspectRatio)) ?? []
  const [, thousands] = /^([1-9])K$/i.exec(String(resolution ?? usualResolution)) ?? []
  if (thousands === undefined || !(Number(width) > 0) || !(Number(height) > 0)) return undefined
  const side = Number(thousands) * 1024
  const ratio = Number(width) / Number(height)
  const pixels = (length: number) => Math.max(step, Math.floor(length / step) * step)
  return `${pixels(side * Math.sqrt(ratio))}x${pixels(side / Math.sqrt(ratio))}`
}
