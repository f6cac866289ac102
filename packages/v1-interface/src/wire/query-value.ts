import { GenerationError } from '@genmount/core'
import * as v from 'valibot'
import type { Exchange } from '../interface/exchange.ts'

/** The query parameter `wait`: whether a create waits for its job. */
const Wait = v.optional(v.picklist(['true', 'false'], 'wait must be true or false.'))

/** The query parameter `n`: the index into `data` of the output that the client requests. */
const OutputIndex = v.pipe(
  v.optional(v.string(), '0'),
  v.regex(/^-?\d+$/, 'n must be a whole number, such as 0 for the first output.'),
  v.transform(Number),
)

export const readWait = (exchange: Exchange) => queryValue(exchange, 'wait', Wait)
export const readOutputIndex = (exchange: Exchange) => queryValue(exchange, 'n', OutputIndex)

function queryValue<Schema extends v.GenericSchema<string | undefined, unknown>>(
  { request: { path = '' } }: Exchange,
  name: string,
  schema: Schema,
): v.InferOutput<Schema> {
  const queryAt = path.indexOf('?')
  const values = queryAt < 0 ? [] : new URLSearchParams(path.slice(queryAt)).getAll(name)
  if (values.length > 1)
    throw new GenerationError('invalid_request', `${name} may be given only once.`, { param: name })
  const result = v.safeParse(schema, values[0])
  if (result.success) return result.output
  throw new GenerationError('invalid_request', result.issues[0].message, { param: name })
}
