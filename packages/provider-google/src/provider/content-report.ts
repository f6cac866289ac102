import type { ProviderReport, TaskTokens } from '@genmount/core'
import { outputTokens } from '../answers/output-tokens.ts'
import {
  answerFiles,
  failed,
  type LinkProof,
  numberIn,
  partWith,
  provenFiles,
  recordOf,
  type VendorAnswer,
  vendorReason,
} from '@genmount/provider-kit'
import * as v from 'valibot'

const stated = v.pipe(v.unknown(), v.transform(numberIn), v.number())
const count = v.nullish(stated, 0)
/** `UsageMetadata` in Google's API reference. */
const usageMetadata = v.object({
  promptTokenCount: count,
  candidatesTokenCount: v.nullish(stated),
  thoughtsTokenCount: count,
  candidatesTokensDetails: v.nullish(v.array(v.object({ modality: v.string(), tokenCount: count }))),
})

/** The values of `FinishReason` in Google's API reference that mean a content policy. */
const policyReasons = /^(?:IMAGE_)?(?:SAFETY|PROHIBITED_CONTENT|RECITATION)$|^(?:BLOCKLIST|SPII)$/

/** The kinds of tokens that Google has prices for. */
export const tokenKinds = ['input', 'textOutput', 'imageOutput'] as const
/** How many tokens of each kind an answer was billed for. */
type Tokens = Readonly<Record<(typeof tokenKinds)[number], number>>

/**
 * Reports the image of a successful answer. An answer without an image fails the job, because Google may charge for it,
 * and would charge for a second try too.
 */
export async function contentReport(
  answer: VendorAnswer,
  proof: Omit<LinkProof, 'kind'>,
  costOf: (outputs: number, tokens: Tokens | undefined) => number | undefined,
): Promise<ProviderReport> {
  const content = withoutThoughts(answer.content)
  const pictureFiles = answerFiles(content, { kind: 'image', withLinksInText: true })
  const files = await provenFiles(pictureFiles, { ...proof, kind: 'image' })
  const usage = v.safeParse(usageMetadata, partWith('usageMetadata', content)['usageMetadata'])
  const { made } = files
  const counts = usage.success ? tokensOf(usage.output, made) : undefined
  const costUsd = costOf(made, counts)
  const { blockReason } = recordOf(partWith('promptFeedback', content)['promptFeedback'])
  const { candidates } = partWith('candidates', content)
  const { finishReason } = recordOf([candidates].flat()[0])
  const isPolicy = Boolean(blockReason) || policyReasons.test(String(finishReason))
  if (files.hasOutput) {
    const tokens = counts && taskTokensOf(counts)
    return files.report({ vendor: 'Google', kind: 'image', answer: content, costUsd, tokens })
  }

  const { message, code = 'output_invalid' } = vendorReason(content) ?? {}
  const links = files.list.flatMap(({ text = [] }) => text).join(' ')
  const why = [blockReason ?? finishReason, message ?? links].filter(
    (word) => typeof word === 'string' && word !== '',
  )
  const words = [...new Set(why)].join(': ') || 'no reason given'
  return failed(isPolicy ? 'content_policy' : code, `Google has made no image: ${words}`, costUsd)
}

/** Google counts no tokens of pictures in the input apart. */
function taskTokensOf({ input, textOutput, imageOutput }: Tokens): TaskTokens {
  return { input, output: textOutput + imageOutput, textOutput }
}

/** The content without what the model has thought: its thoughts can contain drafts of the image. */
function withoutThoughts(content: unknown): unknown {
  if (Array.isArray(content))
    return content.filter((part) => recordOf(part)['thought'] !== true).map(withoutThoughts)
  if (typeof content !== 'object' || content === null || content instanceof Uint8Array) return content
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, withoutThoughts(value)]))
}

/** @returns `undefined` when there are images, and the usage counts no tokens for them */
function tokensOf(usage: v.InferOutput<typeof usageMetadata>, images: number): Tokens | undefined {
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, candidatesTokensDetails } = usage
  if (images > 0 && candidatesTokenCount == null && !candidatesTokensDetails) return undefined
  const byModality = candidatesTokensDetails?.map(({ modality, tokenCount }) => ({
    modality,
    tokens: tokenCount,
  }))
  const { media, text } = outputTokens(
    { output: candidatesTokenCount ?? 0, thoughts: thoughtsTokenCount, byModality },
    'image',
  )
  return { input: promptTokenCount, textOutput: text, imageOutput: media }
}
