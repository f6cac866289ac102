import type { Job } from '@genmount/client'

/**
 * The expected shape of a job's output, as width divided by height, so that the page does not jump when the output
 * arrives.
 */
export function shapeOf({ input, output_kind: kind }: Job): number {
  const ratio = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(String(input['aspect_ratio']))
  const [width, height] = ratio ? [Number(ratio[1]), Number(ratio[2])] : [input['width'], input['height']]
  if (typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0)
    return Math.min(3, Math.max(1 / 3, width / height))
  return kind === 'video' ? 16 / 9 : 1
}

/** A short title for the job: its prompt, or else its model. */
export function titleOf({ input, model }: Job): string {
  const { prompt } = input
  return typeof prompt === 'string' && prompt.trim() !== '' ? prompt.trim() : model
}
