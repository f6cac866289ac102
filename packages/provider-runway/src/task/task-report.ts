import { costOf, type JsonObject, type ProviderFailure, type ProviderReport } from '@genmount/core'
import { failed, recordOf } from '@genmount/vendor-http'
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
  const { status, output, cost, failure, failureCode, progress } = recordOf(json)
  if (typeof status !== 'string') throw new Error('Runway answered a poll without a status.')
  const { credits } = recordOf(cost)
  const costUsd = typeof credits === 'number' ? costOf(model.price, { input, units: credits }) : undefined
  switch (status) {
    case 'SUCCEEDED': {
      const urls = Array.isArray(output) ? output.filter((url) => typeof url === 'string' && url !== '') : []
      return urls.length > 0
        ? { state: 'succeeded', outputs: urls.map((url: string) => ({ url })), costUsd }
        : failed('output_invalid', `The task has ended without a ${model.outputKind ?? 'file'}.`, costUsd)
    }
    case 'FAILED': {
      const message =
        typeof failure === 'string' && failure ? failure : 'The task has failed without a reason.'
      const code = typeof failureCode === 'string' ? failureCode : undefined
      // The code is for the operator: it may name an input that the job does not have.
      const cause = code === undefined ? {} : { cause: new Error(code) }
      return { ...failed(kindOf(code ?? ''), message, costUsd), ...cause }
    }
    case 'CANCELLED':
      return failed('provider_failed', 'The task was cancelled at Runway.', costUsd)
    default:
      return { state: 'running', handle: id, pollAfterMs, progress: fraction(progress) }
  }
}

/** https://docs.dev.runwayml.com/errors/task-failures/ (read in November 2026) */
function kindOf(failureCode: string): ProviderFailure {
  if (failureCode.startsWith('SAFETY.')) return 'content_policy'
  return failureCode === 'ASSET.INVALID' ? 'provider_rejected' : 'provider_failed'
}

function fraction(progress: unknown): number | undefined {
  return typeof progress === 'number' && progress >= 0 && progress <= 1 ? progress : undefined
}
