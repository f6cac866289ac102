import {
  checkMetadata,
  cursorParameter,
  instantIn,
  type JobListRequest,
  limitTo,
  oneOf,
  type QueryParameter,
  readQuery,
  refuseParameter,
} from '@genmount/core'
import { queryIn } from '../interface/path-parts.ts'
import { jobOfCursor } from './list-cursor.ts'

const instant: QueryParameter<number> = {
  accepts: 'an instant such as 2026-01-31T12:00:00Z (RFC 3339), in which + is written as %2B',
  read(text) {
    const at = instantIn(text)
    return at && Math.max(0, at)
  },
}

const parameters = {
  limit: limitTo(100),
  cursor: cursorParameter(jobOfCursor),
  status: oneOf('processing', 'completed', 'failed'),
  model: { accepts: 'the id of a model', read: (text: string) => text || undefined },
  output_kind: oneOf('image', 'video'),
  created_after: instant,
  created_before: instant,
}

/**
 * The query of GET /v1/jobs.
 * @param path the path of the request, with its query
 * @throws GenerationError `invalid_request` that names the parameter and says what is accepted
 */
export function listQuery(path?: string): Omit<JobListRequest, 'owner'> {
  const metadata = new Map<string, string>()
  const others: [name: string, text: string][] = []
  for (const [name, text] of queryIn(path) ?? []) {
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1]
    if (key === undefined) others.push([name, text])
    else if (metadata.has(key)) refuseParameter(name, 'may be given only once')
    else metadata.set(key, text)
  }
  const query = readQuery(others, parameters, 'this list', ' and metadata[key]')
  return {
    limit: query.limit,
    after: query.cursor,
    status: query.status,
    model: query.model,
    outputKind: query.output_kind,
    createdFrom: query.created_after,
    createdBefore: query.created_before,
    metadata: checkMetadata(Object.fromEntries(metadata)),
  }
}
