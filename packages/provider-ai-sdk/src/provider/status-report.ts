import type { Json, ProviderReport } from '@genmount/core'
import { toldStatus } from '../outcome/model-failure.ts'

/** What finds a task again: what `doStart` gave, and how often in a row an error was said that may pass. */
export interface Handle {
  readonly operation: Json
  readonly doubts?: number
}

/** @throws Error when it is no handle of ours */
export function readHandle(handle: Json): Handle {
  if (typeof handle === 'object' && handle !== null && 'operation' in handle)
    return handle as unknown as Handle
  throw new Error('The handle of the task is not one of an AI SDK model.')
}

export function runningReport(operation: Json): ProviderReport {
  return { state: 'running', handle: { operation } }
}

/** The AI SDK's own words for an answer that did not come through. Its fal package gives them out as the task's error. */
const noAnswer =
  /^(Cannot connect to API|Failed to process|Invalid JSON response)|^(Unauthorized|Payment Required|Forbidden|Request Timeout|Too Many Requests)$/i
const maybePassing =
  /^(Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out|The provider gave no reason\.)$/i

const maxDoubts = 3
const doubtPauseMs = 10_000

/**
 * What it means that a status is `error`.
 * @throws Error when that is no news of the task: a film that is paid for must not be lost to a broken connection
 */
export function errorReport({ operation, doubts = 0 }: Handle, message: string): ProviderReport {
  if (noAnswer.test(message)) throw new Error(message)
  // Of a vendor that answers with the failure of a task as it does with its own, the same word often enough is the task's.
  if (maybePassing.test(message) && doubts + 1 < maxDoubts)
    return { state: 'running', handle: { operation, doubts: doubts + 1 }, pollAfterMs: doubtPauseMs }
  return toldStatus(message)
}
