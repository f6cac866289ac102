import type { JsonObject, ProviderReport } from '@genmount/core'
import {
  answerFiles,
  failed,
  isTaskId,
  listedFiles,
  numberIn,
  partWith,
  recordOf,
  type VendorAnswer,
  vendorReason,
} from '@genmount/provider-kit'
import { jobCost } from './xai-cost.ts'
import type { OfferedModel } from './xai-options.ts'

/**
 * The id in the answer to the submit of a film.
 * @throws Error when the answer has no id, because xAI may have begun the film
 */
export function requestIdIn(json: unknown): string {
  const { request_id: id } = partWith('request_id', json)
  if (isTaskId(id)) return id
  throw new Error('xAI answered without the id of a request.')
}

/**
 * Turns a successful answer to a poll into a report. xAI answers with 202 until the film has ended, at times without a
 * body, and has answered without `status` for finished films.
 * @throws Error when the answer does not contain the state of the film
 */
export function videoReport(
  { status: httpStatus, json }: VendorAnswer,
  id: string,
  model: Partial<Pick<OfferedModel, 'price'>>,
  input: JsonObject,
): ProviderReport {
  const task = partWith('video', partWith('status', json))
  const { status, progress, error, video: made } = task
  const video = recordOf(Array.isArray(made) ? made[0] : made)
  const running: ProviderReport = { state: 'running', handle: id, progress: fractionOf(progress) }
  if (httpStatus === 202) return running
  const costUsd = jobCost(task, model, input, numberIn(video['duration']))
  const film = listedFiles(answerFiles(task, { kind: 'video' }).list.slice(0, 1))

  switch (film.stateOf(status, 'done')) {
    case 'done': {
      if (video['respect_moderation'] === false)
        return failed(
          'content_policy',
          'xAI has made the film and does not deliver it, by its content policy.',
          costUsd,
        )
      return film.report({ vendor: 'xAI', kind: 'video', answer: task, costUsd })
    }
    case 'failed': {
      const { code, message } = vendorReason({ error }) ?? {}
      const reason = message || 'xAI has failed to make the film, without a reason.'
      return failed(code ?? 'provider_failed', reason, costUsd)
    }
    case 'expired':
      return failed('provider_lost', 'xAI does not have the film any more.', costUsd)
    default:
      if (typeof status === 'string') return running
      throw new Error('xAI answered without a status.')
  }
}

function fractionOf(percent: unknown): number | undefined {
  return typeof percent === 'number' && percent >= 0 && percent <= 100 ? percent / 100 : undefined
}
