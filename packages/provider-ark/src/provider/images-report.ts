import { costOf, type JsonObject, type ProviderReport } from '@genmount/core'
import { answerFiles, numberIn, partWith, recordOf, type VendorAnswer } from '@genmount/provider-kit'
import { failureOf } from './ark-failure.ts'
import type { OfferedModel } from './ark-options.ts'

/**
 * Turns a successful answer into a report. An answer without an image fails the job, because a second try may cost
 * again.
 */
export function imagesReport(
  answer: VendorAnswer,
  { price }: Pick<OfferedModel, 'price'>,
  input: JsonObject,
): ProviderReport {
  const content = answer.content
  const files = answerFiles(content, { kind: 'image' })
  const billed = numberIn(recordOf(partWith('usage', content)['usage'])['generated_images'])
  const costUsd = costOf(price, { input, units: billed ?? files.made })
  return files.report({ vendor: 'ModelArk', kind: 'image', answer: content, failureOf, costUsd })
}
