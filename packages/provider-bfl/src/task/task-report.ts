import { costOf, type JsonObject, type ProviderReport } from '@genmount/core'
import { answerFiles, failed, failureBy, numberIn, partWith, recordOf } from '@genmount/provider-kit'
import type { OfferedModel } from '../provider/bfl-options.ts'
import type { TaskHandle } from './task-handle.ts'

/** The job that a task was started for. */
export interface TaskOfJob {
  readonly handle: TaskHandle
  readonly model: Partial<Pick<OfferedModel, 'price' | 'outputKind'>>
  /** The input of the job. */
  readonly input: JsonObject
}

/**
 * Turns the state of a task into a report. An unknown status counts as running.
 * https://docs.bfl.ai/api_integration/errors (read in November 2026). In webhooks, apps have also seen `SUCCESS` and
 * `FAILED`.
 * @throws Error when the answer has no status
 */
export function taskReport(json: unknown, { handle, model, input }: TaskOfJob): ProviderReport {
  const state = partWith(['status', 'result'], json)
  const { outputKind: kind } = model
  const files = answerFiles(state['result'], { kind }, 'result')
  const status = files.stateOf(state['status'], 'Ready')
  if (status === undefined) throw new Error('Black Forest Labs answered a poll without a status.')
  const credits = numberIn(state['cost'])
  const costFor = (units: number | undefined) => costOf(model.price, { input, units })
  switch (status) {
    case 'Ready':
    case 'SUCCESS': {
      // The price of a film is known only when the film is ready, so this cost wins over the cost in the answer to the
      // submit.
      const costUsd = costFor(credits ?? handle.cost)
      const ms = inferenceMs(recordOf(state['result']))
      const vendor = 'Black Forest Labs'
      return files.report({ vendor, kind, answer: state, costUsd, inferenceMs: ms })
    }
    case 'Request Moderated':
    case 'Content Moderated':
      // Neither is charged: https://help.bfl.ai/articles/2916279050-why-did-my-request-fail (2026-06-12)
      return failed('content_policy', [status, reasonIn(state)].filter(Boolean).join(': '), 0)
    case 'Error':
    case 'Failed':
    case 'FAILED': {
      const reason = reasonIn(state) ?? 'The task has failed without a reason.'
      const meaning = failureBy([state['error']], reason)
      return failed(meaning, reason, credits === undefined ? undefined : costFor(credits))
    }
    case 'Task not found':
      return { state: 'unknown', message: 'Black Forest Labs does not know the task.' }
    default:
      return { state: 'running', handle }
  }
}

/** The longest reason, in characters. */
const maxReason = 500

/** `details` is a string or an object, such as `{ "Moderation Reasons": ["Safety Filter"] }`. */
function reasonIn({ details, message, error }: Readonly<Record<string, unknown>>): string | undefined {
  const words = [details, message, error].find((word) => typeof word === 'string' && word !== '')
  if (typeof words === 'string') return words.slice(0, maxReason)
  const isTold = Object.keys(recordOf(details)).length > 0
  return isTold ? JSON.stringify(details).slice(0, maxReason) : undefined
}

/** `start_time` and `end_time` are seconds since the Unix epoch. */
function inferenceMs({ start_time, end_time }: Readonly<Record<string, unknown>>): number | undefined {
  const [start = Number.NaN, end = Number.NaN] = [numberIn(start_time), numberIn(end_time)]
  return end >= start ? Math.round((end - start) * 1000) : undefined
}
