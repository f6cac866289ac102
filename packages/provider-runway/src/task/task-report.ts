import { costOf, type JsonObject, type ProviderFailure, type ProviderReport } from '@genmount/core'
import {
  answerFiles,
  failed,
  failureBy,
  numberIn,
  partWith,
  recordOf,
  vendorReason,
} from '@genmount/provider-kit'
import type { OfferedModel } from '../provider/runway-options.ts'

/** The job that a task was started for. */
export interface TaskOfJob {
  readonly id: string
  readonly model: Partial<Pick<OfferedModel, 'price' | 'outputKind'>>
  /** The input of the job. */
  readonly input: JsonObject
}

/** Runway asks clients to poll a task at most every five seconds: @runwayml/sdk 4.20.1, tasks.retrieve. */
export const pollAfterMs = 5000

/** The states of a task that can be stopped. Deleting a task in any other state deletes its outputs. */
export const unfinished: readonly unknown[] = ['PENDING', 'THROTTLED', 'RUNNING']

/**
 * Turns the state of a task into a report. An unknown status counts as running.
 * @throws Error when the answer has no status
 */
export function taskReport(json: unknown, { id, model, input }: TaskOfJob): ProviderReport {
  const task = partWith(['status', 'output'], json)
  const { output, cost, failure, failureCode, progress } = task
  const { outputKind: kind } = model
  const files = answerFiles(output, { kind, hasOwnNames: true }, 'output')
  const status = files.stateOf(task['status'], 'SUCCEEDED')
  if (status === undefined) throw new Error('Runway answered a poll without a status.')
  const credits = numberIn(recordOf(cost)['credits'])
  const priced = costOf(model.price, { input, units: credits })
  // Only its credits show whether a task that has not succeeded is charged.
  const costUsd = status === 'SUCCEEDED' || credits !== undefined ? priced : undefined
  switch (status) {
    case 'SUCCEEDED':
      return files.report({ vendor: 'Runway', kind, answer: task, costUsd })
    case 'FAILED': {
      const reason = vendorReason({ failure, error: task['error'] })?.message
      const message = reason || 'The task has failed without a reason.'
      const code = typeof failureCode === 'string' ? failureCode : undefined
      // The code is for the operator: it may name an input that the job does not have.
      const cause = code === undefined ? {} : { cause: new Error(code) }
      return { ...failed(kindOf(code, message), message, costUsd), ...cause }
    }
    case 'CANCELLED':
      return failed('provider_failed', 'The task was canceled at Runway.', costUsd)
    default:
      return { state: 'running', handle: id, pollAfterMs, progress: fraction(progress) }
  }
}

/** https://docs.dev.runwayml.com/errors/task-failures/ (read in November 2026) */
function kindOf(failureCode: string | undefined, message: string): ProviderFailure {
  if (failureCode === undefined) return failureBy([], message)
  if (failureCode.startsWith('SAFETY.')) return 'content_policy'
  return failureCode === 'ASSET.INVALID' ? 'provider_rejected' : 'provider_failed'
}

function fraction(progress: unknown): number | undefined {
  return typeof progress === 'number' && progress >= 0 && progress <= 1 ? progress : undefined
}
