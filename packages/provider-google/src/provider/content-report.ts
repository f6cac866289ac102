import { Buffer } from 'node:buffer'
import type { ProviderReport } from '@genmount/core'
import { outputTokens } from '@genmount/google-http'
import { failed } from '@genmount/vendor-http'
import * as v from 'valibot'

const part = v.object({
  thought: v.nullish(v.boolean()),
  inlineData: v.object({ data: v.string() }),
})
const words = v.fallback(v.nullish(v.string()), undefined)
const candidate = v.object({
  content: v.fallback(v.object({ parts: v.array(v.fallback(v.nullable(part), null)) }), { parts: [] }),
  finishReason: words,
  finishMessage: words,
})

const count = v.nullish(v.number(), 0)
/** `UsageMetadata` in Google's API reference. */
const usageMetadata = v.object({
  promptTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  candidatesTokensDetails: v.nullish(v.array(v.object({ modality: v.string(), tokenCount: count }))),
})

/** The parts of `GenerateContentResponse` in Google's API reference that matter for images. */
const contentAnswer = v.fallback(
  v.object({
    candidates: v.fallback(v.array(candidate), []),
    promptFeedback: v.fallback(v.nullish(v.object({ blockReason: v.nullish(v.string()) })), undefined),
    usageMetadata: v.fallback(v.nullish(usageMetadata), undefined),
  }),
  { candidates: [], promptFeedback: undefined, usageMetadata: undefined },
)

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
export function contentReport(
  answer: unknown,
  costOf: (outputs: number, tokens: Tokens | undefined) => number | undefined,
): ProviderReport {
  const { candidates, promptFeedback, usageMetadata: usage } = v.parse(contentAnswer, answer)
  const outputs = candidates
    .flatMap(({ content }) => content.parts)
    .flatMap((one) => (one && !one.thought ? [{ bytes: Buffer.from(one.inlineData.data, 'base64') }] : []))
    .filter(({ bytes }) => bytes.byteLength > 0)
  const costUsd = costOf(outputs.length, usage ? tokensOf(usage) : undefined)
  if (outputs.length > 0) return { state: 'succeeded', outputs, costUsd }

  const { finishReason, finishMessage } = candidates[0] ?? {}
  const reason = promptFeedback?.blockReason ?? finishReason ?? 'no reason given'
  const isPolicy = Boolean(promptFeedback?.blockReason) || policyReasons.test(reason)
  const message = finishMessage ?? `Google has made no image: ${reason}.`
  return failed(isPolicy ? 'content_policy' : 'output_invalid', message, costUsd)
}

function tokensOf(usage: v.InferOutput<typeof usageMetadata>): Tokens {
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, candidatesTokensDetails } = usage
  const byModality = candidatesTokensDetails?.map(({ modality, tokenCount }) => ({
    modality,
    tokens: tokenCount,
  }))
  const { media, text } = outputTokens(
    { output: candidatesTokenCount, thoughts: thoughtsTokenCount, byModality },
    'image',
  )
  return { input: promptTokenCount, textOutput: text, imageOutput: media }
}
