import type { JsonObject } from '@genmount/core'
import { isTaskId, numberIn, recordOf } from '@genmount/provider-kit'

/** Finds a task at BFL. */
export type TaskHandle = JsonObject & {
  readonly id: string
  /** The URL to poll. BFL has several clusters, and each cluster knows only its own tasks. */
  readonly polling_url?: string
  /** The cost in credits, as in the answer to the submit. */
  readonly cost?: number
}

/**
 * Reads a handle from the answer to a submit, from a webhook, or from the store.
 * @param baseUrl the address of the API. A polling URL at another host is dropped, because the key must not be sent
 * there
 * @returns `undefined` when there is no valid id
 */
export function taskHandle(handle: unknown, baseUrl: string): TaskHandle | undefined {
  const { id, polling_url: url, cost: credits } = recordOf(handle)
  if (!isTaskId(id)) return undefined
  const cost = numberIn(credits)
  return {
    id,
    ...(typeof url === 'string' && isTrusted(url, baseUrl) && { polling_url: url }),
    ...(cost !== undefined && { cost }),
  }
}

/**
 * The URL to poll for a task. The answer to a submit with a webhook has no polling URL (`AsyncWebhookResponse` in BFL's
 * OpenAPI document), and neither has a webhook.
 */
export function pollingUrl({ id, polling_url: url }: TaskHandle, baseUrl: string): URL {
  return new URL(url ?? `${baseUrl.replace(/\/$/, '')}/get_result?id=${id}`)
}

/**
 * Whether the handle is of a submit with a webhook, whose answer has no polling URL. BFL has given it out if it has a cost,
 * as the answer to a submit, or a UUID, as a webhook.
 */
export function isHooked({ id, polling_url: url, cost }: TaskHandle): boolean {
  return url === undefined && (cost !== undefined || /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))
}

/** BFL returns hosts such as api.eu2.bfl.ai. If `baseUrl` is a proxy in front of BFL, the proxy is polled instead. */
function isTrusted(text: string, baseUrl: string): boolean {
  const url = URL.parse(text)
  const base = new URL(baseUrl)
  if (!url || url.username || url.password) return false
  return url.origin === base.origin || (isBfl(url) && isBfl(base))
}

function isBfl({ protocol, hostname, port }: URL): boolean {
  return protocol === 'https:' && port === '' && /(?:^|\.)bfl\.ai$/.test(hostname)
}
