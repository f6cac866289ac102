import { recordOf } from '@genmount/vendor-http'

/** Finds a request in fal's queue. The URLs are fal's own words, and are there as far as they are the queue's. */
export type QueueHandle = { readonly request_id: string } & { readonly [name in UrlName]?: string }

type UrlName = (typeof urlNames)[number]
const urlNames = ['status_url', 'response_url', 'cancel_url'] as const

/**
 * Reads a handle from the answer to a submit, from a webhook, or as it was stored.
 * @returns `undefined` when there is no request id
 */
export function queueHandle(word: unknown, queueOrigin: string): QueueHandle | undefined {
  const { request_id, ...given } = recordOf(word)
  if (typeof request_id !== 'string' || !/^[\w-]{1,128}$/.test(request_id)) return undefined
  const urls = urlNames.filter((name) => isAt(queueOrigin, given[name])).map((name) => [name, given[name]])
  return { request_id, ...(Object.fromEntries(urls) as { [name in UrlName]?: string }) }
}

/**
 * Where to ask. Without fal's own URLs (a webhook brings none) by the documented rule: owner and app of the endpoint,
 * without the path after them. https://fal.ai/docs/api-reference/inference-api
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

/** Workflows have one name more, as in fal-js:libs/client/src/utils.ts. */
function appOf(endpoint: string): string {
  const parts = endpoint.split('/')
  return parts.slice(0, ['workflows', 'comfy'].includes(parts[0] ?? '') ? 3 : 2).join('/')
}

function isAt(origin: string, given: unknown): boolean {
  const url = typeof given === 'string' ? URL.parse(given) : null
  return url !== null && url.origin === origin && !url.username && !url.password
}
