import { isTaskId, recordOf } from '@genmount/provider-kit'

/**
 * Identifies a request in fal's queue. Operators find it by `id`, which releases before this one leave out. The URLs come from
 * fal, and are kept only if they have the queue's origin.
 */
export type QueueHandle = { readonly id: string; readonly request_id: string } & {
  readonly [name in 'status_url' | 'response_url' | 'cancel_url']?: string
}

/**
 * Reads a handle from the answer to a submit, from a webhook, or from the store.
 * @returns `undefined` when there is no valid request id
 */
export function queueHandle(handle: unknown, queueOrigin: string): QueueHandle | undefined {
  const { request_id, ...others } = recordOf(handle)
  if (!isTaskId(request_id)) return undefined
  const names = ['status_url', 'response_url', 'cancel_url'].filter((name) => isAt(queueOrigin, others[name]))
  return { id: request_id, request_id, ...Object.fromEntries(names.map((name) => [name, others[name]])) }
}

/**
 * The paths for the status, the result and the cancellation of a request. A handle from a webhook has no URLs. Then the
 * documented rule makes them: owner and app of the endpoint, without the path after them. Ids of workflows have one
 * more part in front: see fal-js, libs/client/src/utils.ts. https://fal.ai/docs/api-reference/inference-api
 */
export function queuePaths(handle: QueueHandle, endpoint: string) {
  const app = /^(?:(?:workflows|comfy)\/)?[^/]+\/[^/]+/.exec(endpoint)?.[0]
  const request = `${app}/requests/${handle.request_id}`
  return {
    status: handle.status_url ?? `${request}/status`,
    result: handle.response_url ?? request,
    cancel: handle.cancel_url ?? `${request}/cancel`,
  }
}

function isAt(origin: string, handle: unknown): boolean {
  const url = typeof handle === 'string' ? URL.parse(handle) : null
  return url !== null && url.origin === origin && !url.username && !url.password
}
