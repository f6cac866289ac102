import type { JsonObject } from '@genmount/core'
import { isTaskId, recordOf } from '@genmount/vendor-http'

/** Finds a task at BFL. */
export type TaskHandle = JsonObject & {
  readonly id: string
  /** Where to ask for the task. BFL has several clusters, each of which knows its own tasks. */
  readonly polling_url?: string
  /** The credits that the answer to the submit has named. */
  readonly cost?: number
}

/**
 * Reads a handle from the answer to a submit, from a webhook, or from the store.
 * @param baseUrl the address of the API. A polling URL elsewhere is left out, because the key must not go there
 * @returns `undefined` when there is no valid id
 */
export function taskHandle(given: unknown, baseUrl: string): TaskHandle | undefined {
  const { id, polling_url: url, cost } = recordOf(given)
  if (!isTaskId(id)) return undefined
  return {
    id,
    ...(typeof url === 'string' && isTrusted(url, baseUrl) && { polling_url: url }),
    ...(typeof cost === 'number' && { cost }),
  }
}

/**
 * Where to ask for a task. A submit with a webhook is answered without a polling URL (`AsyncWebhookResponse` in BFL's
 * OpenAPI document), and a webhook has none either.
 */
export function pollingUrl({ id, polling_url: url }: TaskHandle, baseUrl: string): URL {
  return new URL(url ?? `${baseUrl.replace(/\/$/, '')}/get_result?id=${id}`)
}

/** BFL names hosts such as api.eu2.bfl.ai. A proxy in front of BFL is asked instead of them. */
function isTrusted(text: string, baseUrl: string): boolean {
  const url = URL.parse(text)
  const base = new URL(baseUrl)
  if (!url || url.username || url.password) return false
  return url.origin === base.origin || (isBfl(url) && isBfl(base))
}

function isBfl({ protocol, hostname, port }: URL): boolean {
  return protocol === 'https:' && port === '' && /(?:^|\.)bfl\.ai$/.test(hostname)
}
