import { costOf, type JsonObject, type Output, type OutputKind, type ProviderReport } from '@genmount/core'
import { failed, recordOf, type VendorAnswer } from '@genmount/vendor-http'
import type { OfferedModel } from '../provider/fal-options.ts'
import { resultFailure } from './request-failure.ts'

/** A request that has finished. */
export interface FinishedRequest {
  readonly model: Pick<OfferedModel, 'outputKind' | 'price'>
  /** The client's. */
  readonly input: JsonObject
  /** The status that said so. */
  readonly status: Readonly<Record<string, unknown>>
}

/**
 * What the result of a finished request means.
 * @throws Error when it is no news
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
  const costUsd = costFor(counted ?? files.length)
  if (outputs.length > 0)
    return { state: 'succeeded', outputs, costUsd, inferenceMs: inferenceMs(status, result) }
  return shown.length < files.length
    ? failed('content_policy', 'The safety checker has blacked the output out.', costUsd)
    : failed('output_invalid', `The model has finished without a ${model.outputKind}.`, costUsd)
}

/** Set by the endpoint as a decimal, or not at all. */
function unitsOf(headers: Headers): number | undefined {
  const units = headers.get('x-fal-billable-units') ?? ''
  return /^\d+(\.\d+)?$/.test(units) ? Number(units) : undefined
}

const fileFields = { image: ['images', 'image'], video: ['videos', 'video'] } as const

/** A list under the one name, or a single file under the other. */
function filesIn(result: Readonly<Record<string, unknown>>, kind: OutputKind): unknown[] {
  return fileFields[kind].flatMap((name) => result[name] ?? [])
}

function outputOf(file: unknown): Output | undefined {
  const { url, content_type: type } = typeof file === 'string' ? { url: file } : recordOf(file)
  return typeof url === 'string'
    ? { url, contentType: typeof type === 'string' ? type : undefined }
    : undefined
}

/** A flagged output is all black, unless the checker that blacks it out was turned off. */
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
