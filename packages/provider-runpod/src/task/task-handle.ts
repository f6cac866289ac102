import type { JsonObject } from '@genmount/core'
import { isTaskId, recordOf } from '@genmount/provider-kit'
import { endpointId } from '../provider/runpod-options.ts'

/** Finds a task at Runpod. */
export type TaskHandle = JsonObject & {
  /** The id of the endpoint, which alone knows the task. */
  readonly endpoint: string
  readonly id: string
}

/**
 * Reads a handle from the store, or from the answer to a submit and its endpoint.
 * @returns `undefined` when it has no valid ids. Both become parts of a path
 */
export function taskHandle(handle: unknown): TaskHandle | undefined {
  const { endpoint, id } = recordOf(handle)
  const isEndpoint = typeof endpoint === 'string' && endpointId.test(endpoint)
  return isEndpoint && isTaskId(id) ? { endpoint, id } : undefined
}
