import type { Job, Json, WebhookDelivery } from '@genmount/core'
import { jobText } from '@genmount/v1-interface'

/** The longest input in a webhook, in bytes of JSON. A webhook may be sent a hundred times. */
const longestInput = 65_536

/**
 * The body of a webhook: the event, its instant, and the job as `GET /v1/jobs/{id}` returns it. Instead of an input of more
 * than 64 kB the job has an empty one, and `omitted` says so.
 * @param outputs more about the outputs, as a JSON value. `undefined` to send nothing more
 */
export function webhookBody(
  type: WebhookDelivery['event'],
  job: Job,
  baseUrl: string,
  outputs?: unknown,
): string {
  const timestamp = new Date(job.completedAt ?? job.createdAt).toISOString()
  const isLong = isLongJson(job.shownInput)
  const head = { type, timestamp, ...(isLong && { omitted: ['data.input'] }) }
  const data = jobText(isLong ? { ...job, shownInput: {} } : job, baseUrl)
  const more = outputs === undefined ? '' : `,"outputs":${JSON.stringify(outputs)}`
  return `${JSON.stringify(head).slice(0, -1)},"data":${data}${more}}`
}

function isLongJson(value: Json): boolean {
  // First without writing it as a text, which takes a while for many megabytes.
  if (roomAfter(value, longestInput) < 0) return true
  return new TextEncoder().encode(JSON.stringify(value)).byteLength > longestInput
}

/** How much of the room is left after the least bytes that a value takes. It stops where nothing is left. */
function roomAfter(value: Json, room: number): number {
  if (typeof value === 'string') return room - value.length
  if (typeof value !== 'object' || value === null) return room - 1
  let left = room
  for (const [name, part] of Object.entries(value)) {
    left = roomAfter(part, left - (Array.isArray(value) ? 0 : name.length))
    if (left < 0) break
  }
  return left
}
