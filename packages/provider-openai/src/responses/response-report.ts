import type { Json, ProviderFailure, ProviderReport } from '@genmount/core'
import { type ImageTokens, imageTokensOf, imageUsage, taskTokensOf } from '../gpt-image/image-tokens.ts'
import { failureOf } from '../gpt-image/openai-failure.ts'
import {
  type AnswerFiles,
  answerFiles,
  failed,
  type LinkProof,
  numberIn,
  provenFiles,
  recordOf,
  vendorReason,
} from '@genmount/provider-kit'
import * as v from 'valibot'

const count = v.pipe(v.unknown(), v.transform(numberIn), v.number())
const usageOf = v.object({ input_tokens: count, output_tokens: count })

/** A `Response` in OpenAI's API reference, as it arrived. */
export type Response = Readonly<Record<string, unknown>>

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
export async function responseReport(
  response: Response,
  handle: Json,
  proof: Omit<LinkProof, 'kind'>,
  costOf: (bill: ResponseBill) => number | undefined,
): Promise<ProviderReport> {
  const pictureFiles = answerFiles(response['output'], { kind: 'image', withLinksInText: true }, 'output')
  const status = pictureFiles.stateOf(response['status'], 'completed')
  if (status === undefined) throw new Error('OpenAI answered a poll without a status.')
  // An unknown status counts as running, like `queued` and `in_progress`.
  if (!['completed', 'incomplete', 'failed', 'cancelled'].includes(status))
    return { state: 'running', handle }
  const files = await provenFiles(pictureFiles, { ...proof, kind: 'image' })
  const usage = v.safeParse(usageOf, response['usage'])
  const ofTool = v.safeParse(imageUsage, recordOf(response['tool_usage'])['image_gen'])
  const costUsd = costOf({
    images: files.made,
    imageTokens: ofTool.success ? imageTokensOf(ofTool.output) : undefined,
    tokens: usage.success
      ? { input: usage.output.input_tokens, output: usage.output.output_tokens }
      : undefined,
  })
  const isDelivered = status === 'completed' || status === 'incomplete'
  if (isDelivered && files.hasOutput) {
    const inferenceMs = durationOf(response)
    const tokens = taskTokensOf(ofTool.success ? ofTool.output : undefined)
    return files.report({ vendor: 'OpenAI', kind: 'image', answer: response, costUsd, inferenceMs, tokens })
  }
  return failure(response, status, files, costUsd)
}

function failure(
  response: Response,
  status: string,
  files: AnswerFiles,
  costUsd: number | undefined,
): ProviderReport {
  const items = [response['output']].flat().map((item) => recordOf(item)['error'])
  const errors = [...items, response['error']].filter(Boolean)
  const fault = vendorReason({ errors }, failureBy)
  if (fault) return failed(fault.code, fault.message, costUsd)
  if (status === 'cancelled')
    return failed('provider_failed', 'The response was canceled at OpenAI.', costUsd)
  const { reason } = recordOf(response['incomplete_details'])
  if (reason === 'content_filter')
    return failed('content_policy', 'The content filter of OpenAI has stopped the response.', costUsd)
  if (typeof reason === 'string')
    return failed('provider_failed', `OpenAI stopped before there was an image: ${reason}.`, costUsd)
  if (status !== 'completed') return failed('provider_failed', 'OpenAI gave no reason.', costUsd)
  const refusal = refusalIn(response['output'])
  if (refusal !== undefined) return failed('content_policy', refusal, costUsd)
  return files.report({
    vendor: 'OpenAI',
    kind: 'image',
    answer: { output: response['output'] },
    costUsd,
  })
}

/** A language model that refuses says so in `refusal` instead of `text`. */
function refusalIn(output: unknown): string | undefined {
  const parts = [output].flat().flatMap((item) => recordOf(item)['content'] ?? [])
  const refusals = parts.map((part) => recordOf(part)['refusal'])
  return refusals.find((words): words is string => typeof words === 'string' && words !== '')
}

/** What a code of an error in a response means. */
function failureBy(code: string): ProviderFailure | undefined {
  return failureOf(code) ?? (/image|invalid|mismatch/.test(code) ? 'provider_rejected' : undefined)
}

/** OpenAI gives both instants in whole seconds. */
function durationOf({ created_at, completed_at }: Response): number | undefined {
  const [from = 0, to = 0] = [numberIn(created_at), numberIn(completed_at)]
  return from > 0 && to > from ? (to - from) * 1000 : undefined
}
