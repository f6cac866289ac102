import { sceneStyles } from '../edit/style-words.ts'
import { frameSize, ratioByDefault, ratioOf } from './frame-size.ts'
import type { RenderOrder } from './render-order.ts'

/** How many pixels one core of a 2.8 GHz server renders per second, measured with demanding prompts. */
const pixelsPerSecond = { video: 20_000_000, image: 2_500_000, edit: 1_000_000 }

/**
 * The longest ratio that a given picture can have after cropping. The estimate assumes it, because the picture is not
 * open yet.
 */
const longestRatio = 2

/**
 * Estimates how long an order takes to render, in seconds: the pixels of all frames or outputs, divided by the speed of
 * the reference server. The estimate is the same on every machine. It does not include decoding a given picture, which
 * has its own limit.
 */
export function renderSeconds(order: RenderOrder): number {
  const { kind, picture, aspectRatio, shortSide } = order
  const ownRatio = picture === undefined ? ratioByDefault[kind] : longestRatio
  const { width, height } = frameSize(shortSide, aspectRatio === undefined ? ownRatio : ratioOf(aspectRatio))
  const frames = kind === 'video' ? order.frameCount : order.count
  const isEdit = kind === 'image' && (picture !== undefined || sceneStyles(order.prompt).length > 0)
  const work = isEdit ? 'edit' : kind
  return (width * height * frames) / pixelsPerSecond[work]
}
