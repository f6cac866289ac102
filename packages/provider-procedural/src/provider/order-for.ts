import type { RenderOrder } from '../render/render-order.ts'
import type { ImageInput, VideoInput } from './input-fields.ts'

const shortSides = { '480p': 480, '720p': 720, '1080p': 1080 } as const
/** In pixels, for pictures without a resolution. */
const shortSideByDefault = 1024

/** Turns the input of a job into an order for a worker thread. `picture` is the fetched image of the input. */
export function orderFor(input: ImageInput | VideoInput, picture: RenderOrder['picture']): RenderOrder {
  const order = {
    prompt: input.prompt,
    seed: input.seed,
    shortSide: input.resolution === undefined ? shortSideByDefault : shortSides[input.resolution],
    aspectRatio: input.aspect_ratio,
    picture,
  }
  if ('fps' in input) {
    return { ...order, kind: 'video', fps: input.fps, frameCount: Math.round(input.duration * input.fps) }
  }
  return { ...order, kind: 'image', count: input.num_outputs, format: input.format }
}
