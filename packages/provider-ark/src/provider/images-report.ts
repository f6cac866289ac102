import { costOf, type JsonObject, type ProviderReport } from '@genmount/core'
import { failed, imageOutputs, recordOf, type VendorAnswer } from '@genmount/vendor-http'
import { errorReport } from './ark-failure.ts'
import type { OfferedModel } from './ark-options.ts'

/**
 * Turns a successful answer into a report. Failed images are omitted. An answer without an image fails the job, because
 * a second try may cost again.
 */
export function imagesReport(
  { json }: VendorAnswer,
  { price }: Pick<OfferedModel, 'price'>,
  input: JsonObject,
): ProviderReport {
  const { data, usage, error } = recordOf(json)
  const images = [data ?? []].flat()
  const outputs = imageOutputs(images)
  const { generated_images: billed } = recordOf(usage)
  const costUsd = costOf(price, { input, units: typeof billed === 'number' ? billed : outputs.length })
  if (outputs.length > 0) return { state: 'succeeded', outputs, costUsd }
  const [fault = error] = images.map((image) => recordOf(image)['error']).filter(Boolean)
  return fault
    ? { ...errorReport(fault, 'ModelArk has failed to make the image'), costUsd }
    : failed(
        'output_invalid',
        'ModelArk has finished, but its answer has no image that can be read.',
        costUsd,
      )
}
