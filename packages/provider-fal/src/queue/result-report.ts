import { costOf, type JsonObject, type ProviderReport } from '@genmount/core'
import {
  type AnsweredFile,
  answerFiles,
  failed,
  listedFiles,
  numberIn,
  recordOf,
  type VendorAnswer,
  vendorAnswer,
} from '@genmount/provider-kit'
import type { OfferedModel } from '../provider/fal-options.ts'
import { codes, resultFailure } from './request-failure.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Turns the result of a finished request into a report.
 * @param status the status that shows that the request has finished
 * @throws Error when the answer does not show the state of the request
 */
export function resultReport(
  answer: VendorAnswer,
  status: Fields,
  { outputKind, price, isFileUnit }: Partial<OfferedModel>,
  input: JsonObject,
): ProviderReport {
  const counted = numberIn(answer.headers.get('x-fal-billable-units'))
  const costFor = (units: number | undefined) => costOf(price, { input, units })
  if (!answer.ok)
    return resultFailure(
      answer,
      typeof status['error'] === 'string',
      counted === undefined ? undefined : costFor(counted),
    )
  if (answer.json === undefined) throw new Error('fal answered with a result that is not JSON.')
  const content = answer.content
  const result = recordOf(content)
  const files = answerFiles(content, { kind: outputKind })
  // fal makes flagged outputs black, unless the input turns its safety checker off.
  const isChecked = recordOf(input['provider_options'])['enable_safety_checker'] !== false
  const delivered = isChecked
    ? listedFiles(files.list.map((file, index) => (isFlagged(result, index) ? blackened(file) : file)))
    : files
  const costUsd = costFor(counted ?? (isFileUnit ? files.list.length : undefined))
  const seconds = recordOf(status['metrics'])['inference_time'] ?? recordOf(result['timings'])['inference']
  const inferenceSeconds = numberIn(seconds)
  if (!delivered.hasOutput && files.hasOutput)
    return failed('content_policy', 'The safety checker of fal has made the output black.', costUsd)
  return delivered.report({
    vendor: 'The model',
    kind: outputKind,
    answer: content,
    failureOf: (code) => codes.get(code),
    costUsd,
    inferenceMs: inferenceSeconds === undefined ? undefined : inferenceSeconds * 1000,
  })
}

/**
 * Turns a webhook of fal into a report: `{ status: OK | ERROR, payload, error }`, where `payload` is what the result would
 * be. It lacks the units that fal charges. https://docs.fal.ai/model-apis/model-endpoints/webhooks
 * @throws Error when the webhook has no result
 */
export function webhookReport(webhookBody: Fields, model: OfferedModel, input: JsonObject): ProviderReport {
  const { status, payload, error } = webhookBody
  if (typeof payload !== 'object' || payload === null) throw new Error('The webhook of fal has no result.')
  const [, code = 500] = /status code: (\d{3})/.exec(String(error)) ?? []
  const ok = status === 'OK'
  const received = { ok, status: ok ? 200 : Number(code), json: payload }
  const answer = vendorAnswer({ ...received, headers: new Headers(), bytes: new Uint8Array(), text: '' })
  return resultReport(answer, webhookBody, model, input)
}

function blackened({ at }: AnsweredFile): AnsweredFile {
  return { at, fault: 'was made black by the safety checker of fal' }
}

function isFlagged(result: Fields, index: number): boolean {
  const flags = result['has_nsfw_concepts'] ?? result['nsfw_content_detected']
  return (Array.isArray(flags) ? flags[index] : flags) === true
}
