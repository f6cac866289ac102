import {
  GenerationError,
  type GenerationService,
  jsonTextCheck,
  type JsonFault,
  maxBytesPerJsonValue,
  maxJsonDepth,
  systemClock,
} from '@genmount/core'
import type { RouteOptions } from '../interface/check-v1-options.ts'
import type { RouteContext } from '../interface/exchange.ts'
import type { V1Request } from '../interface/v1-request.ts'
import {
  defaultBodyTimeoutMs,
  defaultMaxJsonValues,
  expectedBytes,
  type HeldBody,
  readBody,
  bodyBudgets,
} from './read-body.ts'

/** A request with a body of JSON. */
interface JsonExchange {
  readonly request: Pick<V1Request, 'header' | 'body'>
  readonly owner: string
}

/** What {@link withJsonBody} works with. */
interface JsonContext extends Pick<RouteContext, 'bodiesOf'> {
  readonly service: Pick<GenerationService, 'clock'>
  readonly options: Pick<RouteOptions, 'maxBodyBytes' | 'bodyTimeoutMs' | 'maxJsonValues'>
}

/** The JSON value in the body of a request. */
interface JsonBody {
  readonly value: unknown
  /** See {@link HeldBody}. */
  letGo(): void
}

/**
 * Reads and parses the JSON value in a request's body within the limits, and passes it to `use`. The bytes of
 * the body count in the owner's budget until `use` has finished.
 * @throws GenerationError that says what is wrong with the body; whatever `use` throws
 */
export async function withJsonBody<Result>(
  exchange: JsonExchange,
  context: JsonContext,
  use: (value: unknown) => Promise<Result>,
): Promise<Result> {
  const { value, letGo } = await readJsonBody(exchange, context)
  try {
    return await use(value)
  } finally {
    letGo()
  }
}

/**
 * Reads and parses the JSON value in a request's body within the limits.
 * @returns a promise only if the body has not arrived yet
 * @throws GenerationError that says what is wrong with the body. The promise rejects with the same
 */
export function readJsonBody(
  { request, owner }: JsonExchange,
  { service, options, bodiesOf }: JsonContext,
): JsonBody | Promise<JsonBody> {
  checkMediaType(request)
  const { maxBodyBytes, bodyTimeoutMs, maxJsonValues } = options
  const expected = expectedBytes(request, maxBodyBytes)
  const body = request.body()
  if ('value' in body) {
    refuseForm(body.value)
    refuseUnsafeValue(body.value, maxJsonValues)
    return { value: body.value, letGo() {} }
  }
  const newCheck = () => jsonTextCheck(maxJsonValues, (fault) => jsonError(fault, maxJsonValues))
  // A text with no more bytes than it may have values is cheap to parse. Its value shows all faults but one.
  const check = expected !== undefined && expected <= maxJsonValues ? undefined : newCheck()
  const limits = { maxBodyBytes, bodyTimeoutMs, budget: bodiesOf(owner), expectedBytes: expected, check }
  const held = readBody(body, limits, service.clock)
  const read = (whole: HeldBody) => jsonIn(whole, maxJsonValues, check ? undefined : newCheck)
  return held instanceof Promise ? held.then(read) : read(held)
}

/** @param newCheck makes a check of the text. @default the text was checked already */
function jsonIn(
  { bytes, letGo }: HeldBody,
  maxJsonValues: number,
  newCheck?: () => ReturnType<typeof jsonTextCheck>,
): JsonBody {
  try {
    const text = textIn(bytes)
    if (newCheck && (bytes.length > maxJsonValues || mayNameTwoModels(text))) newCheck()(bytes)
    const value = parse(text)
    refuseUnsafeValue(value, maxJsonValues)
    return { value, letGo }
  } catch (refusal) {
    letGo()
    throw refusal
  }
}

/** Whether a look at the whole text is needed to see how many of its fields are named `model`. */
function mayNameTwoModels(text: string): boolean {
  return text.includes('\\') || text.indexOf('"model"') !== text.lastIndexOf('"model"')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textIn(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new GenerationError('invalid_json', 'The request body is not valid UTF-8.')
  }
}

function parse(text: string): unknown {
  if (text === '')
    throw new GenerationError('invalid_json', 'The request body is empty; it must be a JSON object.')
  try {
    return JSON.parse(text)
  } catch {
    throw new GenerationError('invalid_json', 'The request body is not valid JSON.')
  }
}

/** A parser of forms that the app applies to JSON makes its text, up to the first `=`, the name of a field. */
function refuseForm(value: unknown): void {
  const isForm =
    typeof value === 'object' && value !== null && Object.keys(value)[0]?.trimStart().startsWith('{')
  if (isForm)
    throw unsupported(
      'The app has read this JSON as a form, as express.urlencoded() does for all types. It must mount genmount before that parser.',
      'Content-Type',
    )
}

function checkMediaType(request: Pick<V1Request, 'header'>): void {
  const contentType = request.header('content-type') ?? ''
  if (contentType === 'application/json') return refuseEncoding(request)
  const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]*)/i.exec(contentType)?.[1]
  if (
    !/^application\/json[ \t]*(?:;|$)/i.test(contentType) ||
    (charset ?? 'utf-8').toLowerCase() !== 'utf-8'
  ) {
    throw unsupported('The request body must be application/json in UTF-8.', 'Content-Type')
  }
  refuseEncoding(request)
}

/** @throws GenerationError `unsupported_media_type` for a compressed body */
export function refuseEncoding(request: Pick<V1Request, 'header'>): void {
  const encoding = request.header('content-encoding')
  if (encoding && encoding.toLowerCase() !== 'identity')
    throw unsupported('The request body may not be compressed.', 'Content-Encoding')
}

export function unsupported(message: string, param: string): GenerationError {
  return new GenerationError('unsupported_media_type', message, { param })
}

/** The error for a fault in the JSON of a request body, which may have at most `maxValues` keys and values. */
export function jsonError(fault: JsonFault, maxValues: number): GenerationError {
  const rules = {
    tooDeep: `be nested at most ${maxJsonDepth} levels`,
    tooMany: `have at most ${maxValues} keys and values`,
    tooSpacious: `have at most ${maxValues * maxBytesPerJsonValue} bytes outside of its strings`,
    twoModels: 'name its model only once',
  }
  const param = fault === 'twoModels' ? 'model' : undefined
  return new GenerationError('invalid_request', `The request body may ${rules[fault]}.`, { param })
}

/** The limits of {@link jsonBodies}. They are those of the options of the same names. */
export interface JsonBodyLimits {
  /** The most bytes of one body. */
  readonly maxBodyBytes: number
  /** The most bytes of all bodies together. */
  readonly maxBodiesBytes: number
}

/** Reads the JSON value in the body of an owner's request, and passes it to `use`. */
export type JsonBodies = <Result>(
  owner: string,
  request: Pick<V1Request, 'header' | 'body'>,
  use: (value: unknown) => Promise<Result>,
) => Promise<Result>

/**
 * Makes a reader for the bodies of another interface beside /v1, which reads them like those of /v1: it limits their
 * bytes, alone and together, and, as /v1 does by default, their pace, their keys and values and their depth. The bytes of
 * a body count until `use` has finished.
 * @returns the reader; it rejects with a GenerationError that says what is wrong with a body, and with what `use` throws
 */
export function jsonBodies({ maxBodyBytes, maxBodiesBytes }: JsonBodyLimits): JsonBodies {
  const bodiesOf = bodyBudgets(maxBodiesBytes, maxBodyBytes)
  const options = {
    maxBodyBytes,
    bodyTimeoutMs: defaultBodyTimeoutMs,
    maxJsonValues: defaultMaxJsonValues,
  }
  const context = { service: { clock: systemClock() }, options, bodiesOf }
  return (owner, request, use) => withJsonBody({ request, owner }, context, use)
}

/**
 * Refuses a parsed value that is nested too deeply or has too many keys and values. Also refuses a key `__proto__`,
 * because other code may use it as a prototype, and a number that is too large for JavaScript, because it is parsed as
 * Infinity and would become `null` in the stored JSON.
 * @throws GenerationError `invalid_request`
 */
export function refuseUnsafeValue(value: unknown, maxValues: number): void {
  let values = 0

  function refuse(part: unknown, depth: number): void {
    if (++values > maxValues) throw jsonError('tooMany', maxValues)
    if (part === Infinity || part === -Infinity) {
      throw new GenerationError('invalid_request', 'The request body has a number that is too large.')
    }
    if (typeof part !== 'object' || part === null) return
    if (depth > maxJsonDepth) throw jsonError('tooDeep', maxValues)
    if (Object.hasOwn(part, '__proto__')) {
      throw new GenerationError('invalid_request', 'The request body may not have a field named __proto__.', {
        param: '__proto__',
      })
    }
    if (Array.isArray(part)) {
      for (const item of part) refuse(item, depth + 1)
      return
    }
    const items = Object.values(part)
    values += items.length
    for (const item of items) refuse(item, depth + 1)
  }

  refuse(value, 1)
}
