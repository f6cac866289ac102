import type { JsonObject, OutputKind, ProviderReport } from '@genmount/core'
import { answerFiles, failed, failureBy, recordOf } from '@genmount/provider-kit'
import type { OfferedModel } from '../provider/kling-options.ts'
import { costIn, hasBill } from './task-cost.ts'

type Fields = Readonly<Record<string, unknown>>

/** The job that a task was started for. */
export interface TaskOfJob {
  readonly handle: string
  readonly model: Partial<Pick<OfferedModel, 'price' | 'outputKind'>>
  /** The input of the job. */
  readonly input: JsonObject
}

/** Kling's id of a task. */
export function idIn({ id, task_id }: Fields): unknown {
  return id ?? task_id
}

/** Our own id of a task. */
export function externalIdIn({ external_id, task_info }: Fields): unknown {
  return external_id ?? recordOf(task_info)['external_task_id']
}

/** The tasks of an answer: a list from `/tasks`, one task from anywhere else. */
export function tasksIn(json: unknown): readonly Fields[] {
  const { data } = recordOf(json)
  return (Array.isArray(data) ? (data as unknown[]) : [data]).map(recordOf)
}

/**
 * Turns a task, from an answer or from a callback, into a report. The two generations of Kling's API have other names for the
 * same. An unknown status counts as running.
 * @throws Error when the task has no status
 */
export function taskReport(task: Fields, { handle, model, input }: TaskOfJob): ProviderReport {
  const { outputKind: kind } = model
  const files = answerFiles(linksIn(task, kind), { kind }, 'outputs')
  const named = task['status'] ?? task['task_status']
  const status = files.stateOf(named === 'succeed' ? 'succeeded' : named, 'succeeded')
  if (status === undefined) throw new Error('Kling answered a poll without a status.')
  const costUsd = status === 'succeeded' || hasBill(task) ? costIn(task, { model, input }) : undefined
  if (status === 'succeeded') return files.report({ vendor: 'Kling', kind, answer: task, costUsd })
  if (status !== 'failed') return { state: 'running', handle }
  const words = task['message'] ?? task['task_status_msg']
  const message = typeof words === 'string' && words !== '' ? words : 'Kling gave no reason.'
  return failed(failureBy([], message), message, costUsd)
}

/** The links of the outputs, without those of the same outputs with a watermark. */
function linksIn({ outputs, task_result }: Fields, kind: OutputKind | undefined): readonly unknown[] {
  const { videos, images, series_images } = recordOf(task_result)
  const made = [outputs, videos, images, series_images].flatMap((list) => (Array.isArray(list) ? list : []))
  return made
    .map(recordOf)
    .filter(({ type = kind }) => kind === undefined || type === kind)
    .map(({ url }) => url)
}
