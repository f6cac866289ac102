import { checkMetadata, GenerationError, instantIn, type JobListRequest } from '@genmount/core'
import { jobOfCursor } from './list-cursor.ts'

type Read = Omit<JobListRequest, 'owner'>

/**
 * What a query parameter accepts, in words, and a function that parses it. The function returns `undefined` for a value
 * that is not accepted.
 */
interface Parameter {
  readonly accepts: string
  readonly read: (value: string) => Read | undefined
}

const parameters: Readonly<Record<string, Parameter>> = {
  limit: {
    accepts: 'a whole number from 1 to 100',
    read: (value) => (/^(?:[1-9]\d?|100)$/.test(value) ? { limit: Number(value) } : undefined),
  },
  cursor: {
    accepts: 'the next_cursor of an earlier page, unchanged',
    read: (value) => {
      const after = jobOfCursor(value)
      return after === undefined ? undefined : { after }
    },
  },
  status: oneOf(['processing', 'completed', 'failed'], (status) => ({ status })),
  model: {
    accepts: 'the id of a model',
    read: (value) => (value === '' ? undefined : { model: value }),
  },
  output_kind: oneOf(['image', 'video'], (outputKind) => ({ outputKind })),
  created_after: instant((createdFrom) => ({ createdFrom })),
  created_before: instant((createdBefore) => ({ createdBefore })),
}

/**
 * The query of GET /v1/jobs. An unknown parameter is refused, because a list that ignores a misspelt filter would have
 * jobs that the client does not expect.
 * @param path the path of the request, with its query
 * @throws GenerationError `invalid_request` that names the parameter and says what is accepted
 */
export function listQuery(path = ''): Read {
  const queryAt = path.indexOf('?')
  const names = new Set<string>()
  const metadata: [string, string][] = []
  let query: Read = {}
  for (const [name, value] of new URLSearchParams(queryAt < 0 ? '' : path.slice(queryAt))) {
    if (names.has(name)) refuse(name, 'may be given only once')
    names.add(name)
    const key = /^metadata\[(.*)\]$/s.exec(name)?.[1]
    if (key === undefined) query = { ...query, ...readParameter(name, value) }
    else metadata.push([key, value])
  }
  const wanted = checkMetadata(Object.fromEntries(metadata))
  return wanted ? { ...query, metadata: wanted } : query
}

function readParameter(name: string, value: string): Read {
  if (!Object.hasOwn(parameters, name)) {
    const parameterNames = Object.keys(parameters).join(', ')
    refuse(name, `is not a parameter of this list; the parameters are ${parameterNames} and metadata[key]`)
  }
  const { accepts, read } = parameters[name]!
  return read(value) ?? refuse(name, `must be ${accepts}`)
}

function oneOf<const Value extends string>(
  values: readonly Value[],
  asRead: (value: Value) => Read,
): Parameter {
  return {
    accepts: `one of ${values.join(', ')}`,
    read: (value) => {
      const chosen = values.find((candidate) => candidate === value)
      return chosen && asRead(chosen)
    },
  }
}

function instant(asRead: (at: number) => Read): Parameter {
  return {
    accepts: 'an instant such as 2026-01-31T12:00:00Z (RFC 3339), in which + is written as %2B',
    read: (value) => {
      const at = instantIn(value)
      return at === undefined ? undefined : asRead(Math.max(0, at))
    },
  }
}

function refuse(name: string, rule: string): never {
  const param = name.slice(0, 100)
  throw new GenerationError('invalid_request', `${param} ${rule}.`, { param })
}
