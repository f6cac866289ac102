import type { ProviderReport } from '@genmount/core'
import { answerFiles, type VendorAnswer } from '@genmount/provider-kit'
import { failureOf } from '../gpt-image/openai-failure.ts'
import { type ImageTokens, imageTokensOf, imageUsageIn, taskTokensOf } from '../gpt-image/image-tokens.ts'

/**
 * Turns a successful answer into a report. A successful answer without an image fails the job, because OpenAI charges
 * for it, and would charge for a second try too.
 */
export function imagesReport(
  answer: VendorAnswer,
  costOf: (outputs: number, tokens: ImageTokens | undefined) => number | undefined,
): ProviderReport {
  const content = answer.content
  const usage = imageUsageIn(content)
  // GPT Image models send base64. A gateway in front of them may send a public URL instead.
  const files = answerFiles(content, { kind: 'image' })
  const costUsd = costOf(files.made, usage && imageTokensOf(usage))
  const tokens = taskTokensOf(usage)
  return files.report({ vendor: 'OpenAI', kind: 'image', answer: content, failureOf, costUsd, tokens })
}
