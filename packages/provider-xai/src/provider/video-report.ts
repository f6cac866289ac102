import type { JsonObject, ProviderReport } from '@genmount/core'
import { failed, isTaskId, linkOutputs, recordOf, type VendorAnswer } from '@genmount/vendor-http'
import { jobCost } from './xai-cost.ts'
import { isModeration } from './xai-failure.ts'
import type { OfferedModel } from './xai-options.ts'

/**
 * The id in the answer to the submit of a film.
 * @throws Error when the answer has no id, because xAI may have begun the film
 */
export function requestIdIn(json: unknown): string {
  const { request_id: id } = recordOf(json)
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
  const { status, progress, error, video: made } = recordOf(json)
  const video = recordOf(made)
  const running: ProviderReport = { state: 'running', handle: id, progress: fractionOf(progress) }
  if (httpStatus === 202) return running
  const seconds = Number(video['duration'] ?? Number.NaN)
  const costUsd = jobCost(json, model, input, seconds)

  switch (status ?? (video['url'] === undefined ? undefined : 'done')) {
    case 'done': {
      if (video['respect_moderation'] === false)
        return failed(
          'content_policy',
          'xAI has made the film and does not deliver it, by its content policy.',
          costUsd,
        )
      const [film] = linkOutputs([video['url'], recordOf(video['file_output'])['public_url']])
      return film
        ? { state: 'succeeded', outputs: [film], costUsd }
        : failed('output_invalid', 'xAI has finished, but its answer has no film.', costUsd)
    }
    case 'failed': {
      const { code, message } = recordOf(error)
      const reason =
        typeof message === 'string' ? message : 'xAI has failed to make the film, without a reason.'
      return failed(isModeration(code, message) ? 'content_policy' : 'provider_failed', reason, costUsd)
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
