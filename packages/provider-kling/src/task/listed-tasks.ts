import type { ListedTask } from '@genmount/core'
import { numberIn, recordOf, type VendorClient } from '@genmount/provider-kit'
import { taskHandle } from './task-handle.ts'
import { externalIdIn, idIn } from './task-report.ts'

/** Kling's largest page. */
const limit = 500
/** The largest page, in bytes: each task has the signed links of its outputs. */
const maxBytes = 32 * 1024 * 1024
const maxValues = 500_000

/**
 * Lists the account's tasks since an instant. Kling keeps a list of the last 30 days.
 * @see https://kling.ai/document-api/api/video/3-0-omni/text-to-video (tasks by cursor)
 * @throws Error when Kling does not give its whole list
 */
export async function* listedTasks(
  ask: VendorClient['ask'],
  since: number,
  signal: AbortSignal,
): AsyncGenerator<ListedTask> {
  let page: object | undefined = { start_time: String(since) }
  while (page !== undefined) {
    const json: object = { ...page, limit }
    const answer = await ask({ method: 'POST', path: '/tasks', json, signal, maxBytes, maxValues })
    if (!answer.ok) throw new Error(`Kling answered a list of tasks with status ${answer.status}.`)
    const { result, next_cursor: cursor, has_more } = recordOf(recordOf(answer.json)['data'])
    if (!Array.isArray(result)) throw new Error('Kling answered a list of tasks without tasks.')
    if (has_more === true && (typeof cursor !== 'string' || cursor === ''))
      throw new Error('Kling does not say where its list of tasks goes on.')
    for (const task of result.map(recordOf)) {
      const listed = listedTask(task)
      if (listed && !(Number(listed.createdAt) < since)) yield listed
    }
    page = has_more === true ? { cursor } : undefined
  }
}

function listedTask(task: Readonly<Record<string, unknown>>): ListedTask | undefined {
  // The path of an older task is not in the list, so only its id is.
  const handle = taskHandle(undefined, idIn(task))
  if (handle === undefined) return undefined
  const { status, create_time } = task
  const externalId = externalIdIn(task)
  return {
    handle,
    state: status === 'succeeded' || status === 'failed' ? status : 'running',
    createdAt: numberIn(create_time),
    clientToken: typeof externalId === 'string' && externalId !== '' ? externalId : undefined,
  }
}
