import type { Job, Json, Model } from '@genmount/core'
import type { DigitalSourceType } from '../xmp/mark.ts'

/**
 * The digital source type of a job's outputs: what the model says of itself. Otherwise the outputs are made by AI, and if the
 * input has a picture, film or sound, they are a composite of it and what the model has made, as in an edit.
 */
export function sourceTypeOf({ shownInput }: Job, model: Model | undefined): DigitalSourceType {
  if (model?.digitalSourceType) return model.digitalSourceType
  return hasMedia(shownInput) ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia'
}

/** Links, data URIs (in the shown input: their placeholders) and uploads. */
const isMedia = /^(?:https?:\/\/\S+$|data:|\[data URI: |upload:\/\/)/i

function hasMedia(value: Json): boolean {
  if (typeof value === 'string') return isMedia.test(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasMedia)
}
