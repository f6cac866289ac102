import type { V1Reply } from '@genmount/v1-interface'

/** A reply with a value as JSON. */
export function jsonReply(value: object, headers: Record<string, string> = {}): V1Reply {
  headers['content-type'] = 'application/json'
  return { status: 200, headers, body: JSON.stringify(value) }
}
