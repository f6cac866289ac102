import type { Json } from '@genmount/core'
import { isTaskId, recordOf } from '@genmount/provider-kit'

/** A task at Kling. */
export interface KlingTask {
  /** Where the task was posted, if only that path knows it: `/v1/images/generations`. @default `/tasks` knows it */
  readonly path: string | undefined
  readonly id: string
}

const collection = /^\/v1\/(?:images|videos)\/[a-z\d-]+$/

/** Whether a path knows only the tasks that were posted to it. All tasks of the newer API are at `/tasks`. */
export function isCollection(path: string): boolean {
  return collection.test(path)
}

/**
 * The handle of a task: its id, with the path where only that path knows the task.
 * @returns `undefined` when this can't be an id
 */
export function taskHandle(path: string | undefined, id: unknown): Json | undefined {
  if (!isTaskId(id)) return undefined
  return path !== undefined && isCollection(path) ? { id, path } : id
}

/** The task that a handle names; `undefined` when it names none. The last release wrote the path in front of the id. */
export function taskOf(handle: Json | undefined): KlingTask | undefined {
  const [, front, end] = /^(?:(\/.*)\/)?([^/]*)$/.exec(typeof handle === 'string' ? handle : '') ?? []
  const { id = end, path = front } = recordOf(handle) as { readonly id?: Json; readonly path?: string }
  return isTaskId(id) && (path === undefined || isCollection(path)) ? { path, id } : undefined
}

/** The path of the request for a task by Kling's id. */
export function pollPath({ path, id }: KlingTask): string {
  return path === undefined ? `/tasks?task_ids=${id}` : `${path}/${id}`
}

/** The path of the request for a task by our own id. @param path where the task was posted */
export function findPath(path: string, externalId: string): string {
  const id = encodeURIComponent(externalId)
  return isCollection(path) ? `${path}/${id}` : `/tasks?external_task_ids=${id}`
}
