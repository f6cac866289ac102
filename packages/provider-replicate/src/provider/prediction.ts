import { Buffer } from 'node:buffer'
import { costOf, type JsonObject, type Output, type ProviderReport } from '@genmount/core'
import { failed, isTaskId, messageOf } from '@genmount/vendor-http'
import type { OfferedModel } from './replicate-options.ts'

/** The fields of a prediction that are read here. https://replicate.com/docs/reference/http#predictions.get */
export interface Prediction {
  readonly id: string
  readonly status: string
  readonly output?: unknown
  readonly error?: unknown
  readonly logs?: unknown
  readonly data_removed?: unknown
  readonly metrics?: { readonly predict_time?: unknown } | null
}

/**
 * Reads the prediction in an answer.
 * @throws Error when the answer has no prediction
 */
export function predictionIn(json: unknown): Prediction {
  const { id, status } = (json ?? {}) as Partial<Prediction>
  if (isTaskId(id) && typeof status === 'string') return json as Prediction
  throw new Error('Replicate answered without a prediction.')
}

/** Turns a prediction into a report. https://replicate.com/docs/topics/predictions/lifecycle */
export function reportOf(
  prediction: Prediction,
  model: Partial<Pick<OfferedModel, 'price' | 'priceUnit'>>,
  input: JsonObject,
): ProviderReport {
  const { id, status, output, error, data_removed: isRemoved, metrics } = prediction
  const seconds = typeof metrics?.predict_time === 'number' ? metrics.predict_time : undefined
  const outputs = status === 'succeeded' ? outputsIn(output) : []
  const units = model.priceUnit === 'output' ? outputs.length : (seconds ?? Number.NaN)
  const costUsd = costOf(model.price, { input, units })

  switch (status) {
    case 'succeeded':
      if (outputs.length > 0)
        return { state: 'succeeded', outputs, costUsd, inferenceMs: seconds && seconds * 1000 }
      return isRemoved === true
        ? failed('provider_lost', 'Replicate has removed the outputs already.', costUsd)
        : failed('output_invalid', 'The prediction has succeeded without a file.', costUsd)
    case 'failed': {
      const message = messageOf({ error }) ?? 'The model has failed without a reason.'
      return failed(refusal.test(message) ? 'content_policy' : 'provider_failed', message, costUsd)
    }
    case 'canceled':
      return failed('provider_failed', 'The prediction was canceled at Replicate.', costUsd)
    case 'aborted':
      // An aborted prediction has never started, so it is not billed.
      return failed('provider_failed', 'The prediction was given up at Replicate before it began.')
    default:
      return { state: 'running', handle: id, progress: progressIn(prediction.logs) }
  }
}

/** How much of the end of the logs is read. A line of a progress bar is much shorter. */
const readLogLength = 10_000

/**
 * The progress in the logs: the percentage in the last line of a progress bar as Python's tqdm draws it, such as
 * ` 12%|█▏        | 6/50 [00:00<00:03]`. The format of the logs is up to each model, so many predictions have no
 * progress. Replicate's own client reads the logs like this: https://github.com/replicate/replicate-javascript#progress
 */
function progressIn(logs: unknown): number | undefined {
  if (typeof logs !== 'string') return undefined
  const bars = [...logs.slice(-readLogLength).matchAll(/(?:^|[\r\n])[^\r\n|]{0,100}?(\d{1,3})%\s*\|/g)]
  const percent = bars.at(-1)?.[1]
  return percent === undefined ? undefined : Number(percent) / 100
}

/** A content policy refusal has no code, only words, and each model uses other words. */
const refusal = /nsfw|\bE005\b|flagged as|content[ _-]?(policy|filter|moderation)|safety filter|moderated/i

const maxDepth = 4

/** The files in an output: a URL, a list, an object with `url`, or an object whose fields contain files. */
function outputsIn(output: unknown, depth = 0): readonly Output[] {
  if (typeof output === 'string') return fileIn(output)
  if (typeof output !== 'object' || output === null || depth === maxDepth) return []
  const parts = 'url' in output ? [output.url] : Object.values(output)
  return parts.flatMap((part) => outputsIn(part, depth + 1))
}

/** The file in a text: an https URL or a base64 data URI. Other texts are the model's words, and not files. */
function fileIn(text: string): readonly Output[] {
  if (/^https:\/\//i.test(text)) return [{ url: text }]
  const base64 = /^data:[^,]*;base64,(.*)$/is.exec(text)?.[1] ?? ''
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  return bytes.byteLength > 0 ? [{ bytes }] : []
}
