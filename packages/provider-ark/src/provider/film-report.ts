import { costOf, type JsonObject, type ProviderReport } from '@genmount/core'
import {
  answerFiles,
  failed,
  isTaskId,
  listedFiles,
  numberIn,
  partWith,
  recordOf,
  vendorReason,
} from '@genmount/provider-kit'
import { failureOf } from './ark-failure.ts'
import type { OfferedModel } from './ark-options.ts'

/**
 * The id of the task in the answer to a submit.
 * @throws Error when the answer has no id, because ModelArk may have begun the film
 */
export function taskIdIn(json: unknown): string {
  const { id } = partWith('id', json)
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
  const task = partWith(['status', 'content'], json)
  const { status, content = task['output'], usage } = task
  const films = answerFiles(content, { kind: 'video' }, 'content')
  switch (films.stateOf(status, 'succeeded')) {
    case 'succeeded': {
      const tokens = numberIn(recordOf(usage)['completion_tokens'])
      const costUsd = costOf(price, { input, units: tokens === undefined ? undefined : tokens / 1e6 })
      const frame = answerFiles(
        partWith('last_frame_url', content)['last_frame_url'],
        { kind: 'image' },
        'content.last_frame_url',
      )
      // The last frame comes after the film, and is no output without it.
      const files = films.hasOutput ? listedFiles([...films.list, ...frame.list]) : films
      return files.report({ vendor: 'ModelArk', kind: 'video', answer: task, failureOf, costUsd })
    }
    case 'failed':
      return failedFilm(task)
    case 'cancelled':
      return failed('provider_failed', 'The task was canceled at ModelArk before it began.')
    case 'expired':
      return failed('provider_failed', 'ModelArk has given the task up, because it took too long.')
    default:
      if (typeof status === 'string') return { state: 'running', handle: id }
      throw new Error('ModelArk answered without a status.')
  }
}

function failedFilm(task: Readonly<Record<string, unknown>>): ProviderReport {
  const { code, message } = vendorReason({ error: task['error'] }, failureOf) ?? {}
  return failed(
    code ?? 'provider_failed',
    message || 'ModelArk has failed to make the film without a reason.',
  )
}
