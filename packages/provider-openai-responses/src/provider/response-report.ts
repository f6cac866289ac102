import type { Json, ProviderReport } from '@genmount/core'
import { failureOf, type ImageTokens, imageTokensOf, imageUsage } from '@genmount/provider-openai/gpt-image'
import { bytesIn, failed } from '@genmount/vendor-http'
import * as v from 'valibot'

const fault = v.object({ code: v.nullish(v.string(), ''), message: v.nullish(v.string(), '') })
const content = v.object({ text: v.nullish(v.string()), refusal: v.nullish(v.string()) })
const item = v.object({
  type: v.nullish(v.string()),
  /** The image of an `image_generation_call`, in base64. */
  result: v.nullish(v.string()),
  error: v.fallback(v.nullish(fault), undefined),
  content: v.fallback(v.nullish(v.array(v.fallback(content, {}))), undefined),
})

/** The parts of `Response` in OpenAI's API reference that matter for images. Parts with a wrong form have fallbacks. */
export const responseAnswer = v.object({
  status: v.string(),
  output: v.fallback(v.nullish(v.array(v.fallback(item, {})), []), []),
  error: v.fallback(v.nullish(fault), undefined),
  incomplete_details: v.fallback(v.nullish(v.object({ reason: v.nullish(v.string()) })), undefined),
  created_at: v.fallback(v.nullish(v.number()), undefined),
  completed_at: v.fallback(v.nullish(v.number()), undefined),
  usage: v.fallback(v.nullish(v.object({ input_tokens: v.number(), output_tokens: v.number() })), undefined),
  tool_usage: v.fallback(v.nullish(v.object({ image_gen: v.nullish(imageUsage) })), undefined),
})

type Response = v.InferOutput<typeof responseAnswer>

/** What a response is billed for. */
export interface ResponseBill {
  readonly images: number
  /** The tokens of the image model; `undefined` when OpenAI does not say. */
  readonly imageTokens: ImageTokens | undefined
  /** The tokens of the language model; `undefined` when OpenAI does not say. */
  readonly tokens: Readonly<Record<'input' | 'output', number>> | undefined
}

/**
 * Turns a response into a report. An image of a response that is incomplete counts, because it was paid for.
 * @param costOf returns the cost in US dollars
 */
export function responseReport(
  response: Response,
  handle: Json,
  costOf: (bill: ResponseBill) => number | undefined,
): ProviderReport {
  const { status, usage, tool_usage } = response
  // An unknown status counts as running, like `queued` and `in_progress`.
  if (!['completed', 'incomplete', 'failed', 'cancelled'].includes(status))
    return { state: 'running', handle }
  const results = response.output.map(({ result }) => bytesIn(result))
  const outputs = results.filter((output) => output !== undefined)
  const costUsd = costOf({
    images: outputs.length,
    imageTokens: tool_usage?.image_gen ? imageTokensOf(tool_usage.image_gen) : undefined,
    tokens: usage ? { input: usage.input_tokens, output: usage.output_tokens } : undefined,
  })
  if (outputs.length > 0 && (status === 'completed' || status === 'incomplete'))
    return { state: 'succeeded', outputs, costUsd, inferenceMs: durationOf(response) }
  return failure(response, costUsd)
}

function failure(response: Response, costUsd: number | undefined): ProviderReport {
  const { status, output, error, incomplete_details } = response
  const found = [...output.map((part) => part.error), error].find((one) => one?.code || one?.message)
  if (found) {
    const { code, message } = found
    const otherwise = /image|invalid|mismatch/.test(code) ? 'provider_rejected' : 'provider_failed'
    return failed(failureOf(code) ?? otherwise, message || code, costUsd)
  }
  if (status === 'cancelled')
    return failed('provider_failed', 'The response was cancelled at OpenAI.', costUsd)
  const reason = incomplete_details?.reason
  if (reason === 'content_filter')
    return failed('content_policy', 'The content filter of OpenAI has stopped the response.', costUsd)
  if (reason)
    return failed('provider_failed', `OpenAI stopped before there was an image: ${reason}.`, costUsd)
  if (status !== 'completed') return failed('provider_failed', 'OpenAI gave no reason.', costUsd)
  const parts = output.flatMap((part) => part.content ?? [])
  const refusal = parts.find((part) => part.refusal)?.refusal
  if (refusal) return failed('content_policy', refusal, costUsd)
  const words = parts
    .map(({ text }) => text?.trim() ?? '')
    .join(' ')
    .trim()
  return words === ''
    ? failed('output_invalid', 'OpenAI has finished, but its answer has no image that can be read.', costUsd)
    : failed('provider_failed', `OpenAI has made no image: ${words}`, costUsd)
}

/** OpenAI gives both instants in whole seconds. */
function durationOf({ created_at, completed_at }: Response): number | undefined {
  if (!created_at || !completed_at || completed_at <= created_at) return undefined
  return (completed_at - created_at) * 1000
}
