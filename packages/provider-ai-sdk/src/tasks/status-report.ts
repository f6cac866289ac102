import type { Json, ProviderReport } from '@genmount/core'
import { recordOf } from '@genmount/provider-kit'
import { toldStatus } from '../outcome/model-failure.ts'

/**
 * Finds a task again: the `operation` of `doStart`, and how many polls in a row ended with an error that may be
 * temporary.
 */
export interface Handle {
  /** The vendor's id of the task, by which operators find the job. Absent when the operation does not name it. */
  readonly id?: string
  readonly operation: Json
  readonly doubts?: number
  /** The ignored parts, in words, for which the task is refused when it has ended. Absent when it is not refused. */
  readonly ignored?: string
}

/** @throws Error when the handle is not one of this provider */
export function readHandle(handle: Json): Handle {
  if (typeof handle === 'object' && handle !== null && 'operation' in handle)
    return handle as unknown as Handle
  throw new Error('The handle of the task is not one of an AI SDK model.')
}

export function runningReport(operation: Json, ignored: string | undefined): ProviderReport {
  const id = idOf(operation)
  return {
    state: 'running',
    handle: { ...(id !== undefined && { id }), operation, ...(ignored !== undefined && { ignored }) },
  }
}

/** The names under which packages of the AI SDK have the vendor's id in an operation, and links that end with it. */
const names = { id: ['id', 'taskId', 'requestId', 'operationName'], link: ['responseUrl', 'getUrl'] }

function idOf(operation: Json): string | undefined {
  if (typeof operation === 'string') return operation
  const fields = recordOf(operation)
  const texts = (among: readonly string[]) =>
    among.flatMap((name) => (typeof fields[name] === 'string' ? [fields[name]] : []))
  const [link] = texts(names.link)
  return texts(names.id)[0] ?? (link && URL.parse(link)?.pathname.split('/').at(-1))
}

/**
 * The AI SDK's own messages for a request that failed. Its fal package returns them as if they were the error of the
 * task.
 */
const noAnswer =
  /^(Cannot connect to API|Failed to process|Invalid JSON response)|^(Unauthorized|Payment Required|Forbidden|Request Timeout|Too Many Requests)$/i
const maybePassing =
  /^(Internal Server Error|Bad Gateway|Service Unavailable|Gateway Time-?out|The provider gave no reason\.)$/i

const maxDoubts = 3
const doubtPauseMs = 10_000

/**
 * Turns a status `error` into a report.
 * @throws Error when the error is about the connection and says nothing about the task, so that a broken connection
 *   does not lose a video that is paid for
 */
export function errorReport(handle: Handle, message: string): ProviderReport {
  const { doubts = 0 } = handle
  if (noAnswer.test(message)) throw new Error(message)
  // Some vendors return the same error for a failed task and for a temporary fault of their server. After three such
  // polls in a row, the error counts as a failure of the task.
  if (maybePassing.test(message) && doubts + 1 < maxDoubts)
    return { state: 'running', handle: { ...handle, doubts: doubts + 1 }, pollAfterMs: doubtPauseMs }
  return toldStatus(message)
}
