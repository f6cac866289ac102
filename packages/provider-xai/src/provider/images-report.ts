import type { JsonObject, ProviderReport } from '@genmount/core'
import {
  type AnsweredFile,
  answerFiles,
  failed,
  listedFiles,
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
  const files = images.some(isRefused)
    ? listedFiles(images.flatMap(filesOf))
    : answerFiles(content, { kind: 'image' })
  const made = files.hasOutput ? files.made : 0
  const costUsd = jobCost(partWith('usage', content), model, input, made)
  if (images.length > 0 && images.every(isRefused))
    return failed(
      'content_policy',
      'xAI has made the image and does not deliver it, by its content policy.',
      costUsd,
    )
  return files.report({ vendor: 'xAI', kind: 'image', answer: content, costUsd })
}

function isRefused(image: unknown): boolean {
  return recordOf(image)['respect_moderation'] === false
}

function filesOf(image: unknown, index: number): readonly AnsweredFile[] {
  const at = `data[${index}]`
  if (isRefused(image)) return [{ at, fault: 'was refused by the content policy of xAI' }]
  return answerFiles(image, { kind: 'image' }, at).list
}
