import type { JsonObject, ProviderReport } from '@genmount/core'
import { failed, imageOutputs, recordOf, type VendorAnswer } from '@genmount/vendor-http'
import { jobCost } from './xai-cost.ts'
import type { OfferedModel } from './xai-options.ts'

/**
 * Turns a successful answer into a report. An answer without an image fails the job, because a second try may cost
 * again. Images that moderation has refused are omitted.
 */
export function imagesReport(
  { json }: VendorAnswer,
  model: Pick<OfferedModel, 'price'>,
  input: JsonObject,
): ProviderReport {
  const images = [recordOf(json)['data'] ?? []].flat().map(recordOf)
  const isRefused = ({ respect_moderation }: JsonFields) => respect_moderation === false
  const outputs = imageOutputs(images.filter((image) => !isRefused(image)))
  const costUsd = jobCost(json, model, input, outputs.length)
  if (outputs.length > 0) return { state: 'succeeded', outputs, costUsd }
  return images.some(isRefused)
    ? failed(
        'content_policy',
        'xAI has made the image and does not deliver it, by its content policy.',
        costUsd,
      )
    : failed('output_invalid', 'xAI has finished, but its answer has no image that can be read.', costUsd)
}

type JsonFields = ReturnType<typeof recordOf>
