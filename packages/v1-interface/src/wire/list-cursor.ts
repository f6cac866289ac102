import { fromBase64Url, toBase64Url } from '@genmount/core'
import { sha256 } from '../access/sha256.ts'

/** The `next_cursor` of a list that continues after this job. It contains only the job's id, which the client knows. */
export function listCursor(jobId: string): string {
  return toBase64Url(new TextEncoder().encode(`${jobId}.${checkOf(jobId)}`))
}

/** The job after which the list continues; `undefined` for a text that {@link listCursor} has not made. */
export function jobOfCursor(cursor: string): string | undefined {
  const bytes = cursor.length <= 200 ? fromBase64Url(cursor) : undefined
  const [jobId = ''] = new TextDecoder().decode(bytes).split('.')
  return listCursor(jobId) === cursor ? jobId : undefined
}

/**
 * A checksum that detects a cursor that was cut or changed by mistake. It protects no secret: each owner has a list of
 * its own.
 */
function checkOf(jobId: string): string {
  return Array.from(sha256(jobId).slice(0, 2), (part) => part.charCodeAt(0).toString(36)).join('')
}
