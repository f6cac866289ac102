import { closedInput } from '@genmount/provider-kit'
import * as v from 'valibot'
import {
  filmSize,
  image,
  type ImageInput,
  imageSize,
  simulation,
  video,
  type VideoInput,
} from './input-fields.ts'
import { withinRenderSeconds } from './within-render-seconds.ts'

/**
 * The smallest `maxRenderSeconds` that is accepted. It is enough for the default size of every kind of job, with and
 * without a picture.
 */
export const leastRenderSeconds = 4

/**
 * The input schemas of the two models. `allowSimulation` adds the fields that simulate slow and failing jobs. An input
 * whose estimated rendering time is above `maxRenderSeconds` is refused, with an error at the field that costs most.
 */
export function inputSchemas(allowSimulation: boolean, maxRenderSeconds: number) {
  const extra = allowSimulation ? simulation : {}
  return {
    image: v.pipe(
      closedInput({ ...image, ...extra }),
      withinRenderSeconds<ImageInput>(maxRenderSeconds, imageSize),
    ),
    video: v.pipe(
      closedInput({ ...video, ...extra }),
      withinRenderSeconds<VideoInput>(maxRenderSeconds, filmSize),
    ),
  }
}
