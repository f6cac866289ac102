import { costOf, type JsonObject, type ProviderReport } from '@genmount/core'
import {
  answerFiles,
  failed,
  failureBy,
  isTaskId,
  listedFiles,
  numberIn,
  partWith,
  vendorReason,
} from '@genmount/provider-kit'
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
 * @param askedId the id of the prediction that was polled. @default the answer must have an id
 * @throws Error when the answer has no prediction
 */
export function predictionIn(json: unknown, askedId?: string): Prediction {
  const prediction = partWith(['status', 'output'], json)
  const { id = askedId, output } = prediction
  const files = answerFiles(askedId === undefined ? {} : output, { hasOwnNames: true })
  const status = files.stateOf(prediction['status'], 'succeeded')
  const taskId = isTaskId(id) ? id : askedId
  if (taskId !== undefined && status !== undefined) return { ...prediction, id: taskId, status }
  throw new Error('Replicate answered without a prediction.')
}

/** Turns a prediction into a report. https://replicate.com/docs/topics/predictions/lifecycle */
export function reportOf(
  prediction: Prediction,
  model: Partial<Pick<OfferedModel, 'price' | 'priceUnit' | 'outputKind'>>,
  input: JsonObject,
): ProviderReport {
  const { id, status, output, error, data_removed: isRemoved, metrics } = prediction
  const seconds = numberIn(metrics?.predict_time)
  const { outputKind: kind } = model
  const search = { kind, hasOwnNames: true }
  const files = status === 'succeeded' ? answerFiles(output, search, 'output') : listedFiles([])
  const units = model.priceUnit === 'output' ? files.made : seconds
  const costUsd = costOf(model.price, { input, units })

  switch (status) {
    case 'succeeded':
      if (isRemoved === true && !files.hasOutput)
        return failed('provider_lost', 'Replicate has removed the outputs already.', costUsd)
      return files.report({
        vendor: 'The model',
        kind,
        answer: { error, output },
        costUsd,
        inferenceMs: seconds && seconds * 1000,
      })
    case 'failed': {
      // There is no code for a refusal.
      const message = vendorReason({ error })?.message || 'The model has failed without a reason.'
      return failed(failureBy([], message), message, costUsd)
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
