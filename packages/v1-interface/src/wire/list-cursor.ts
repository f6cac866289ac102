import { sha256 } from '../access/sha256.ts'

/** The `next_cursor` of a list that goes on after this job. It shows only what the client knows: the id. */
export function listCursor(jobId: string): string {
  const cursor = btoa(`${jobId}.${checkOf(jobId)}`)
  return cursor.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** The job after which the list goes on; `undefined` for a text that {@link listCursor} has not made. */
export function jobOfCursor(cursor: string): string | undefined {
  if (!/^[\w-]{1,200}$/.test(cursor)) return undefined
  try {
    const [jobId = ''] = atob(cursor.replaceAll('-', '+').replaceAll('_', '/')).split('.')
    return listCursor(jobId) === cursor ? jobId : undefined
  } catch {
    return undefined
  }
}

/** Tells a cursor that was cut or changed by mistake. It is no secret: each owner has a list of its own. */
function checkOf(jobId: string): string {
  return Array.from(sha256(jobId).slice(0, 2), (part) => part.charCodeAt(0).toString(36)).join('')
}
