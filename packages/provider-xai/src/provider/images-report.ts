import type { JsonObject, ProviderReport } from '@genmount/core'
import {
  type AnsweredFile,
  failed,
  filesIn,
  filesReport,
  madeFiles,
  partWith,
  recordOf,
  type VendorAnswer,
} from '@genmount/provider-kit'
import { jobCost } from './xai-cost.ts'
import type { OfferedModel } from './xai-options.ts'

/**
 * Turns a successful answer into a report. An answer without an image fails the job, because a second try may cost
 * again. Images that moderation has refused are left out.
 */
export function imagesReport(
  answer: VendorAnswer,
  model: Pick<OfferedModel, 'price'>,
  input: JsonObject,
): ProviderReport {
  const content = answer.content
  const { data } = partWith('data', content)
  const images = Array.isArray(data) ? (data as unknown[]) : []
  const isRefused = (image: unknown) => recordOf(image)['respect_moderation'] === false
  const files = images.some(isRefused)
    ? images.flatMap((image, index) => {
        const at = `data[${index}]`
        return isRefused(image) ? [refused(at)] : filesIn(image, { kind: 'image' }, at)
      })
    : filesIn(content, { kind: 'image' })
  const made = files.filter(({ output }) => output).length === 0 ? 0 : madeFiles(files)
  const costUsd = jobCost(partWith('usage', content), model, input, made)
  if (images.length > 0 && images.every(isRefused))
    return failed(
      'content_policy',
      'xAI has made the image and does not deliver it, by its content policy.',
      costUsd,
    )
  return filesReport(files, { vendor: 'xAI', kind: 'image', answer: content, costUsd })
}

function refused(at: string): AnsweredFile {
  return { at, fault: 'was refused by the content policy of xAI' }
}
