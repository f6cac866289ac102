import { frameSize, ratioByDefault, ratioOf } from './frame-size.ts'
import type { RenderOrder } from './render-order.ts'

/** Pixels that one core of a 2.8 GHz server renders in a second, for prompts that ask for much. */
const pixelsPerSecond = { video: 20_000_000, image: 2_500_000, edit: 1_000_000 }

/** A given picture is cropped to 2:1 at the longest, and nobody has looked at it yet. */
const longestRatio = 2

/**
 * Estimates how long an order takes to render, in seconds: its pixels, over all frames or outputs, at the rate of the
 * reference server. It is the same on every machine. Decoding a given picture is not in it and has a limit of its own.
 */
export function renderSeconds(order: RenderOrder): number {
  const { kind, picture, aspectRatio, shortSide } = order
  const ownRatio = picture === undefined ? ratioByDefault[kind] : longestRatio
  const { width, height } = frameSize(shortSide, aspectRatio === undefined ? ownRatio : ratioOf(aspectRatio))
  const frames = kind === 'video' ? order.frameCount : order.count
  const work = kind === 'image' && picture !== undefined ? 'edit' : kind
  return (width * height * frames) / pixelsPerSecond[work]
}
