import * as v from 'valibot'
import { renderSeconds } from '../render/render-seconds.ts'
import type { ImageInput, VideoInput } from './input-fields.ts'
import { orderFor } from './order-for.ts'

/**
 * Refuses an input whose estimated rendering time is longer than `maxSeconds`. The error is at the field whose value
 * adds the most time compared with its default. An input in which these fields have their defaults must always fit.
 * @param defaults the defaults of the fields on which the rendering time depends
 */
export function withinRenderSeconds<Input extends ImageInput | VideoInput>(
  maxSeconds: number,
  defaults: Partial<Input>,
) {
  const fields = Object.keys(defaults) as (keyof Input & string)[]
  const secondsFor = (input: Input) => renderSeconds(orderFor(input, input.image))
  return v.rawCheck<Input>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues) return
    const input = dataset.value
    const seconds = secondsFor(input)
    if (seconds <= maxSeconds) return
    const [key = ''] = fields.toSorted(
      (a, b) => secondsFor({ ...input, [a]: defaults[a] }) - secondsFor({ ...input, [b]: defaults[b] }),
    )
    addIssue({
      message: `${key} asks for too much: this job would take about ${Math.ceil(seconds)} s to render, and at most ${maxSeconds} s are accepted here. Reduce ${fields.join(' or ')}.`,
      path: [
        { type: 'object', origin: 'value', input: input as never, key, value: input[key as keyof Input] },
      ],
    })
  })
}
