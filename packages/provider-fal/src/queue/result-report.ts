import { costOf, type JsonObject, type Output, type ProviderReport } from '@genmount/core'
import { failed, recordOf, type VendorAnswer } from '@genmount/vendor-http'
import type { OfferedModel } from '../provider/fal-options.ts'
import { filesIn, urlOf } from './files-in.ts'
import { resultFailure } from './request-failure.ts'

/** A finished request, and the model and input of its job. */
export interface FinishedRequest {
  readonly model: Pick<OfferedModel, 'outputKind' | 'price' | 'isFileUnit'>
  /** The input of the job. */
  readonly input: JsonObject
  /** The status that said that the request has finished. */
  readonly status: Readonly<Record<string, unknown>>
}

/**
 * Turns the result of a finished request into a report.
 * @throws Error when the answer says nothing about the request
 */
export function resultReport(
  answer: VendorAnswer,
  { model, input, status }: FinishedRequest,
): ProviderReport {
  const counted = unitsOf(answer.headers)
  const costFor = (units: number | undefined) =>
    units === undefined ? undefined : costOf(model.price, { input, units })
  if (!answer.ok) {
    const failure = resultFailure(answer, typeof status['error'] === 'string')
    return failure.state === 'refused' ? failure : { ...failure, costUsd: costFor(counted) }
  }
  if (answer.json === undefined) throw new Error('fal answered with a result that is not JSON.')
  const result = recordOf(answer.json)
  const files = filesIn(result, model.outputKind)
  const shown = hidesFlagged(input) ? files.filter((_, index) => !isFlagged(result, index)) : files
  const outputs = shown.flatMap((file) => outputOf(file) ?? [])
  const costUsd = costFor(counted ?? (model.isFileUnit ? files.length : undefined))
  if (outputs.length > 0)
    return { state: 'succeeded', outputs, costUsd, inferenceMs: inferenceMs(status, result) }
  return shown.length < files.length
    ? failed('content_policy', 'The safety checker of fal has made the output black.', costUsd)
    : failed('output_invalid', `The model has finished without a ${model.outputKind}.`, costUsd)
}

/** The endpoint sends the number as a decimal, or leaves the header out. */
function unitsOf(headers: Headers): number | undefined {
  const units = headers.get('x-fal-billable-units') ?? ''
  return /^\d+(\.\d+)?$/.test(units) ? Number(units) : undefined
}

function outputOf(file: unknown): Output | undefined {
  const url = urlOf(file)
  const { content_type: type } = recordOf(file)
  return url === undefined ? undefined : { url, contentType: typeof type === 'string' ? type : undefined }
}

/** Whether flagged outputs are left out. fal makes them all black, unless the input turns its safety checker off. */
function hidesFlagged(input: JsonObject): boolean {
  return recordOf(input['provider_options'])['enable_safety_checker'] !== false
}

function isFlagged(result: Readonly<Record<string, unknown>>, index: number): boolean {
  const flags = result['has_nsfw_concepts'] ?? result['nsfw_content_detected']
  return (Array.isArray(flags) ? flags[index] : flags) === true
}

function inferenceMs(status: Readonly<Record<string, unknown>>, result: Readonly<Record<string, unknown>>) {
  const seconds = recordOf(status['metrics'])['inference_time'] ?? recordOf(result['timings'])['inference']
  return typeof seconds === 'number' ? seconds * 1000 : undefined
}
