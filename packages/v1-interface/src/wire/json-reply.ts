import type { V1Reply } from '../interface/v1-request.ts'

/** A reply with the status 200 and a body that is JSON already. */
export function jsonReply(body: string): V1Reply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}
