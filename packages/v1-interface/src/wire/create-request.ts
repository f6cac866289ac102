import { GenerationError, type JobRequest } from '@genmount/core'
import * as v from 'valibot'
import type { Exchange, OwnedExchange } from '../interface/exchange.ts'
import { queryIn } from '../interface/path-parts.ts'

/**
 * The body of a create: the fields `model` and, beyond the base interface, `metadata`. All other fields are the input,
 * which the schema of the model checks later.
 */
interface CreateRequest {
  readonly model: string
  /** The client's metadata of the job. The service checks it. */
  readonly metadata?: unknown
  readonly [field: string]: unknown
}

/** Checks the parsed body of a create. @throws GenerationError `missing_field` or `invalid_request` */
export function createRequest(body: unknown): CreateRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new GenerationError('invalid_request', 'The request body must be a JSON object.')
  const { model } = body as Partial<CreateRequest>
  if (typeof model === 'string') return body as CreateRequest
  throw model === undefined
    ? new GenerationError('missing_field', 'model is missing. It must name the model that makes the job.', {
        param: 'model',
      })
    : new GenerationError('invalid_request', 'model must be a string.', { param: 'model' })
}

const waitPreference = /(?:^|,)[ \t]*wait[ \t]*=[ \t]*(?:(\d+)|"(\d+)")[ \t]*(?=[,;]|$)/i

/**
 * How many seconds the client wants to wait, from the header `Prefer: wait=N` (RFC 7240 section 4.3). If there are
 * several such headers, the first valid one counts. A malformed preference is ignored, as section 2 requires.
 */
export function preferredWaitSeconds(header: string | undefined): number | undefined {
  const match = header === undefined ? null : waitPreference.exec(header)
  return match ? Number(match[1] ?? match[2]) : undefined
}

const message = 'Idempotency-Key must be 1 to 255 printable ASCII characters, bare or in double quotes.'

/** A bare key, or a quoted string (RFC 8941 section 3.3.3), whose quotes and escapes are removed. */
const IdempotencyKey = v.pipe(
  v.string(),
  v.regex(/^(?:[\x21\x23-\x7e][\x20-\x7e]*|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+")$/, message),
  v.transform((value) => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value)),
  v.maxLength(255, message),
)

/**
 * Reads the Idempotency-Key header. @throws GenerationError `invalid_request` for a header that is not a
 * valid key
 */
export function idempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const result = v.safeParse(IdempotencyKey, header)
  if (result.success) return result.output
  throw new GenerationError('invalid_request', message, { param: 'Idempotency-Key' })
}

const spendMessage = 'x-spend-usd-per-day must be US dollars of at least 0, such as 2.50.'
const SpendLimit = v.optional(
  v.pipe(v.string(), v.regex(/^\d{1,9}(?:\.\d{1,6})?$/, spendMessage), v.transform(Number)),
)

/**
 * Reads the x-spend-usd-per-day header: a limit on spending that the request sets itself, in US dollars.
 * @throws GenerationError `invalid_request` for any other text
 */
function spendUsdPerDay(header: string | undefined): number | undefined {
  const result = v.safeParse(SpendLimit, header)
  if (result.success) return result.output
  throw new GenerationError('invalid_request', spendMessage, { param: 'x-spend-usd-per-day' })
}

/**
 * What a create takes from its request besides the body: whose job it makes, and the limit that the request sets.
 * @throws GenerationError `invalid_request` for a header that is no limit
 */
export function orderedBy({
  owner,
  keyId,
  request,
}: OwnedExchange): Pick<JobRequest, 'keyId' | 'owner' | 'spendUsdPerDay'> {
  const limit = spendUsdPerDay(request.header('x-spend-usd-per-day'))
  return { owner, ...(keyId !== undefined && { keyId }), spendUsdPerDay: limit }
}

/** A query parameter that is `true`, `false` or absent. */
const flag = (name: string) => v.optional(v.picklist(['true', 'false'], `${name} must be true or false.`))

/** The query parameter `wait`: whether a create waits for its job. */
const Wait = flag('wait')

/** The query parameter `dry_run`: whether a create only says what would become of it. */
const DryRun = flag('dry_run')

/** The query parameter `n`: the index into `data` of the output that the client requests. */
const OutputIndex = v.pipe(
  v.optional(v.string(), '0'),
  v.regex(/^-?\d+$/, 'n must be a whole number, such as 0 for the first output.'),
  v.transform(Number),
)

export const readWait = (exchange: Exchange) => queryValue(exchange, 'wait', Wait)
export const readDryRun = (exchange: Exchange) => queryValue(exchange, 'dry_run', DryRun)
export const readOutputIndex = (exchange: Exchange) => queryValue(exchange, 'n', OutputIndex)

function queryValue<Schema extends v.GenericSchema<string | undefined, unknown>>(
  { request }: Exchange,
  name: string,
  schema: Schema,
): v.InferOutput<Schema> {
  const values = queryIn(request.path)?.getAll(name) ?? []
  if (values.length > 1)
    throw new GenerationError('invalid_request', `${name} may be given only once.`, { param: name })
  const result = v.safeParse(schema, values[0])
  if (result.success) return result.output
  throw new GenerationError('invalid_request', result.issues[0].message, { param: name })
}
