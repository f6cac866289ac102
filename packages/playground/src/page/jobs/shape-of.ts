import type { Job } from '@genmount/client'

/** The shape that a job's output will about have, as width through height, so that nothing jumps when it comes. */
export function shapeOf({ input, output_kind: kind }: Job): number {
  const ratio = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(String(input['aspect_ratio']))
  const [width, height] = ratio ? [Number(ratio[1]), Number(ratio[2])] : [input['width'], input['height']]
  if (typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0)
    return Math.min(3, Math.max(1 / 3, width / height))
  return kind === 'video' ? 16 / 9 : 1
}

/** What the job is about, in a few words: its prompt, or else its model. */
export function titleOf({ input, model }: Job): string {
  const { prompt } = input
  return typeof prompt === 'string' && prompt.trim() !== '' ? prompt.trim() : model
}
