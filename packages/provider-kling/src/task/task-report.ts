import type { Json, JsonObject, ProviderReport } from '@genmount/core'
import { answerFiles, failed, failureBy, partWith, recordOf } from '@genmount/provider-kit'
import type { OfferedModel } from '../provider/kling-options.ts'
import { costIn, hasBill } from './task-cost.ts'

type Fields = Readonly<Record<string, unknown>>

/** The job that a task was started for. */
export interface TaskOfJob {
  readonly handle: Json
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

/**
 * The task that an answer is about: one of a list from `/tasks`, the only one from anywhere else.
 * @returns `undefined` when the answer has only other tasks, or none
 */
export function taskIn(json: unknown, id: string): Fields | undefined {
  const { data } = recordOf(json)
  const listed: readonly unknown[] = Array.isArray(data) ? data : [{}]
  const own = listed.map(recordOf).find((task) => idIn(task) === id)
  if (own || listed.length === 0) return own
  const task = partWith(['status', 'task_status'], json)
  const other = idIn(task)
  return typeof other === 'string' && other !== id ? undefined : task
}

/**
 * Turns a task, from an answer or from a callback, into a report. The two generations of Kling's API have other names for the
 * same. An unknown status counts as running.
 * @throws Error when the task has no status
 */
export function taskReport(task: Fields, { handle, model, input }: TaskOfJob): ProviderReport {
  const { outputKind: kind } = model
  // Kling repeats there what the task was made from.
  const { task_info: _origin, ...made } = task
  const files = answerFiles(made, { kind })
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
