import type { ProviderTask } from '@genmount/core'
import type { RenderOrder } from '../render/render-order.ts'
import type { ImageInput, VideoInput } from './input-schemas.ts'

const shortSides = { '480p': 480, '720p': 720, '1080p': 1080 } as const
const shortSideByDefault = 1024

/** What to render for a task, with this picture. */
export function orderFor(task: ProviderTask, picture: RenderOrder['picture']): RenderOrder {
  // The service hands over what the model's schema returned.
  const input = task.input as unknown as ImageInput | VideoInput
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
