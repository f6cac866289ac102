import type { ProviderFailure, ProviderReport } from '@genmount/core'
import {
  answerFiles,
  failed,
  failureBy,
  listedFiles,
  numberIn,
  recordOf,
  type VendorAnswer,
  vendorReason,
} from '@genmount/provider-kit'

/** This service's codes for the Router's error types. A type that is not listed becomes `provider_failed`. */
const codes: ReadonlyMap<string, ProviderFailure> = new Map([
  // https://docs.comfy.org/development/comfy-router/reference#error-buckets, read on 2026-11-27
  ['content_policy_violation', 'content_policy'],
  ['invalid_input', 'provider_rejected'],
  ['insufficient_credits', 'provider_rejected'],
  ['model_not_found', 'provider_rejected'],
  ['provider_error', 'provider_failed'],
  ['provider_timeout', 'provider_failed'],
  ['cancelled', 'provider_failed'],
  ['queue_timeout', 'provider_failed'],
])

/** The words for an end about which the Router says nothing more. */
const sentences: ReadonlyMap<string, string> = new Map([
  ['cancelled', 'The request was canceled at the Comfy Router.'],
  ['queue_timeout', 'The request has waited too long in the queue of the Comfy Router.'],
  ['provider_timeout', 'The partner of the Comfy Router did not answer in time.'],
])

/**
 * Turns an unsuccessful answer to a submit into a report.
 * @throws Error when the Router may have taken the request on: the same request is then sent again, with the same key
 */
export function submitRefusal(answer: VendorAnswer, model: string): ProviderReport {
  const type = errorTypeIn(answer)
  if (answer.status === 409 && type === 'invalid_input')
    return failed(
      'provider_lost',
      'The Comfy Router has this job already, from a submit with other parameters, and does not give it out: it may run there, and be billed.',
    )
  if (answer.status === 409) throw new Error('The Comfy Router is still taking the request on.')
  if (type === 'content_policy_violation' && answer.status < 500)
    return { ...failed('content_policy', wordsOf(answer, type)), status: answer.status }
  return answer.submitFailure({ modelName: `model ${model} at the Comfy Router`, message: detailOf(answer) })
}

/** A finished request, as its result says. */
export interface FinishedRequest {
  /** The answer to the request for the result. */
  readonly answer: VendorAnswer
  /** The error type of the status; `undefined` for a request that has succeeded. */
  readonly errorType: string | undefined
  readonly outputKind: 'image' | 'video' | undefined
  /** What the app's own price says, for the number of outputs. */
  costOf(outputs: number): number | undefined
}

/**
 * Turns the result of a finished request into a report.
 * @throws Error when the answer says nothing of the request
 */
export function resultReport({ answer, errorType, outputKind, costOf }: FinishedRequest): ProviderReport {
  const costUsd = costIn(answer.headers)
  if (!answer.ok) return resultFailure(answer, errorType, costUsd)
  const isCutOff = answer.json === undefined && /\bjson\b/i.test(answer.headers.get('content-type') ?? '')
  if (isCutOff) throw new Error('The Comfy Router answered a request for a result with broken JSON.')
  const content = answer.content
  const files = withoutUnsafe(answerFiles(content, { kind: outputKind }), content)
  // Some partners answer with a document that says why there is no output.
  const report = files.report({
    vendor: 'The Comfy Router',
    kind: outputKind,
    answer: content,
    costUsd: costUsd ?? costOf(files.made),
  })
  if (report.state === 'succeeded' && report.outputs.length === 0 && errorType !== undefined)
    return failed(codes.get(errorType) ?? 'provider_failed', sentenceFor(errorType), costUsd)
  return report
}

/** The statuses by which the Router gives out a partner's refusal. Others may be about this read, and the result is paid for. */
const partnerRefusals: readonly number[] = [400, 422]

function resultFailure(
  answer: VendorAnswer,
  errorType: string | undefined,
  costUsd: number | undefined,
): ProviderReport {
  const type = errorTypeIn(answer)
  const isOfPartner = type !== undefined && codes.has(type) && partnerRefusals.includes(answer.status)
  // The status has said that the request has failed, or the Router gives the partner's own refusal out.
  if (errorType !== undefined || isOfPartner) {
    const end = errorType ?? type!
    const words = type === end ? wordsOf(answer, end) : sentenceFor(end)
    return failed(codes.get(end) ?? failureBy([end], words), words, costUsd)
  }
  return answer.pollFailure()
}

/** https://docs.comfy.org/development/comfy-router/pricing (read on 2026-11-27): 1 USD is 211 credits. */
const creditsPerUsd = 211

/**
 * What the Router says that a request has cost, in US dollars: `X-Litellm-Response-Cost` has it exactly,
 * `X-Comfy-Credits-Used` in credits, rounded to two decimals. Not all models have these headers, and a missing one does not
 * mean that it was free.
 */
function costIn(headers: Headers): number | undefined {
  const usd = numberIn(headers.get('x-litellm-response-cost'))
  if (usd !== undefined && usd >= 0) return usd
  const credits = numberIn(headers.get('x-comfy-credits-used'))
  return credits !== undefined && credits >= 0 ? credits / creditsPerUsd : undefined
}

/** Ideogram delivers a picture that it does not hold to be safe, and says so beside it. */
function withoutUnsafe(files: ReturnType<typeof answerFiles>, content: unknown) {
  const { data } = recordOf(content)
  const isUnsafe = (index: number) => Array.isArray(data) && recordOf(data[index])['is_image_safe'] === false
  return listedFiles(
    files.list.map((file, index) =>
      isUnsafe(index)
        ? { at: file.at, fault: 'was not held to be safe', text: 'The image is not safe.' }
        : file,
    ),
  )
}

/** The Router's error type: in a header, and in the body. */
function errorTypeIn({ headers, json }: VendorAnswer): string | undefined {
  const type = headers.get('x-comfy-error-type') ?? recordOf(json)['error_type']
  return typeof type === 'string' && type !== '' ? type : undefined
}

/** The message of an answer, and the fields that it is about. */
function detailOf({ json, message }: VendorAnswer): string | undefined {
  const { detail, upstream_detail: upstream } = recordOf(json)
  if (!Array.isArray(detail)) return typeof upstream === 'string' && upstream !== '' ? upstream : message
  const faults = detail.map((fault) => {
    const { loc, msg } = recordOf(fault)
    const place = [loc ?? []].flat().filter((step) => step !== 'body')
    return [place.join('.'), msg].filter((part) => typeof part === 'string' && part !== '').join(': ')
  })
  return faults.join('; ') || message
}

function wordsOf(answer: VendorAnswer, type: string): string {
  return detailOf(answer) || vendorReason(answer.content)?.message || sentenceFor(type)
}

function sentenceFor(type: string): string {
  return sentences.get(type) ?? `The Comfy Router says ${type}.`
}
