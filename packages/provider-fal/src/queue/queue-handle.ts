import { recordOf } from '@genmount/vendor-http'

/** Finds a request in fal's queue. The URLs come from fal, and are kept only if they have the queue's origin. */
export type QueueHandle = { readonly request_id: string } & { readonly [name in UrlName]?: string }

type UrlName = (typeof urlNames)[number]
const urlNames = ['status_url', 'response_url', 'cancel_url'] as const

/**
 * Reads a handle from the answer to a submit, from a webhook, or from the store.
 * @returns `undefined` when there is no valid request id
 */
export function queueHandle(given: unknown, queueOrigin: string): QueueHandle | undefined {
  const { request_id, ...others } = recordOf(given)
  if (typeof request_id !== 'string' || !/^[\w-]{1,128}$/.test(request_id)) return undefined
  const urls = urlNames.filter((name) => isAt(queueOrigin, others[name])).map((name) => [name, others[name]])
  return { request_id, ...(Object.fromEntries(urls) as { [name in UrlName]?: string }) }
}

/**
 * The paths for the status, the result and the cancellation of a request. A handle from a webhook has no URLs. Then the
 * documented rule gives them: owner and app of the endpoint, without the path after them.
 * https://fal.ai/docs/api-reference/inference-api
 */
export function queuePaths(
  { request_id, status_url, response_url, cancel_url }: QueueHandle,
  endpoint: string,
) {
  const request = `${appOf(endpoint)}/requests/${request_id}`
  return {
    status: status_url ?? `${request}/status`,
    result: response_url ?? request,
    cancel: cancel_url ?? `${request}/cancel`,
  }
}

/**
 * Owner and app of an endpoint. Ids of workflows have one more part before them: see fal-js, libs/client/src/utils.ts.
 */
function appOf(endpoint: string): string {
  const parts = endpoint.split('/')
  return parts.slice(0, ['workflows', 'comfy'].includes(parts[0] ?? '') ? 3 : 2).join('/')
}

function isAt(origin: string, given: unknown): boolean {
  const url = typeof given === 'string' ? URL.parse(given) : null
  return url !== null && url.origin === origin && !url.username && !url.password
}
