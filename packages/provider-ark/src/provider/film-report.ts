import { costOf, type JsonObject, type ProviderReport } from '@genmount/core'
import { failed, isTaskId, linkOutputs, recordOf } from '@genmount/vendor-http'
import { errorReport } from './ark-failure.ts'
import type { OfferedModel } from './ark-options.ts'

/**
 * The id of the task in the answer to a submit.
 * @throws Error when the answer has no id, because ModelArk may have begun the film
 */
export function taskIdIn(json: unknown): string {
  const { id } = recordOf(json)
  if (isTaskId(id)) return id
  throw new Error('ModelArk answered without the id of a task.')
}

/**
 * Turns a task into a report (https://docs.byteplus.com/en/docs/ModelArk/1521309). ModelArk bills only the tokens of
 * films that have succeeded.
 * @throws Error when the answer has no status
 */
export function filmReport(
  json: unknown,
  id: string,
  { price }: Partial<Pick<OfferedModel, 'price'>>,
  input: JsonObject,
): ProviderReport {
  const { status, content, usage, error } = recordOf(json)
  switch (status) {
    case 'succeeded': {
      const { video_url, last_frame_url } = recordOf(content)
      const { completion_tokens: tokens } = recordOf(usage)
      const units = typeof tokens === 'number' ? tokens / 1e6 : Number.NaN
      const costUsd = costOf(price, { input, units })
      const film = linkOutputs([video_url])
      return film.length > 0
        ? { state: 'succeeded', outputs: [...film, ...linkOutputs([last_frame_url])], costUsd }
        : failed('output_invalid', 'ModelArk has finished, but its answer has no film.', costUsd)
    }
    case 'failed':
      return errorReport(error, 'ModelArk has failed to make the film')
    case 'cancelled':
      return failed('provider_failed', 'The task was cancelled at ModelArk before it began.')
    case 'expired':
      return failed('provider_failed', 'ModelArk has given the task up, because it took too long.')
    default:
      if (typeof status === 'string') return { state: 'running', handle: id }
      throw new Error('ModelArk answered without a status.')
  }
}
