import { costOf, type JsonObject, type ProviderReport } from '@genmount/core'
import { failed, recordOf, type VendorAnswer } from '@genmount/vendor-http'
import type { OfferedModel } from '../provider/fal-options.ts'
import { filesIn, outputOf } from './files-in.ts'
import { resultFailure } from './request-failure.ts'

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
  const counted = unitsOf(answer.headers)
  const costFor = (units?: number) => (units === undefined ? units : costOf(price, { input, units }))
  if (!answer.ok) return resultFailure(answer, typeof status['error'] === 'string', costFor(counted))
  if (answer.json === undefined) throw new Error('fal answered with a result that is not JSON.')
  const result = recordOf(answer.json)
  const kinds = outputKind === undefined ? (['video', 'image'] as const) : [outputKind]
  const files = kinds.map((kind) => filesIn(result, kind)).find((found) => found.length > 0) ?? []
  // fal makes flagged outputs black, unless the input turns its safety checker off.
  const isChecked = recordOf(input['provider_options'])['enable_safety_checker'] !== false
  const shown = isChecked ? files.filter((_, index) => !isFlagged(result, index)) : files
  const outputs = shown.flatMap((file) => outputOf(file) ?? [])
  const costUsd = costFor(counted ?? (isFileUnit ? files.length : undefined))
  const seconds = recordOf(status['metrics'])['inference_time'] ?? recordOf(result['timings'])['inference']
  const inferenceMs = typeof seconds === 'number' ? seconds * 1000 : undefined
  if (outputs.length > 0) return { state: 'succeeded', outputs, costUsd, inferenceMs }
  return shown.length < files.length
    ? failed('content_policy', 'The safety checker of fal has made the output black.', costUsd)
    : failed('output_invalid', `The model has finished without a ${outputKind ?? 'file'}.`, costUsd)
}

/** The endpoint sends the number as a decimal, or leaves the header out. */
function unitsOf(headers: Headers): number | undefined {
  const units = headers.get('x-fal-billable-units') ?? ''
  return /^\d+(\.\d+)?$/.test(units) ? Number(units) : undefined
}

function isFlagged(result: Fields, index: number): boolean {
  const flags = result['has_nsfw_concepts'] ?? result['nsfw_content_detected']
  return (Array.isArray(flags) ? flags[index] : flags) === true
}
