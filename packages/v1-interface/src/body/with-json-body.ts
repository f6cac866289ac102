import { GenerationError, type GenerationService, jsonTextCheck } from '@genmount/core'
import type { RouteOptions } from '../interface/check-v1-options.ts'
import type { RouteContext } from '../interface/exchange.ts'
import type { V1Request } from '../interface/v1-request.ts'
import { bodyErrors } from './json-limits.ts'
import { refuseUnsafeValue } from './refuse-unsafe-value.ts'
import { expectedBytes, readBody } from './read-body.ts'

/** A request with a body of JSON. */
export interface JsonExchange {
  readonly request: Pick<V1Request, 'header' | 'body'>
  readonly owner: string
}

/** What {@link withJsonBody} works with. */
export interface JsonContext extends Pick<RouteContext, 'bodiesOf'> {
  readonly service: Pick<GenerationService, 'clock'>
  readonly options: Pick<RouteOptions, 'maxBodyBytes' | 'bodyTimeoutMs' | 'maxJsonValues'>
}

/**
 * Reads and parses the JSON value in a request's body within the limits, and passes it to `use`. The bytes of
 * the body count in the owner's budget until `use` has finished.
 * @throws GenerationError that says what is wrong with the body; whatever `use` throws
 */
export function withJsonBody<Result>(
  { request, owner }: JsonExchange,
  { service, options, bodiesOf }: JsonContext,
  use: (value: unknown) => Promise<Result>,
): Promise<Result> {
  checkMediaType(request)
  const { maxBodyBytes, bodyTimeoutMs, maxJsonValues } = options
  const expected = expectedBytes(request, maxBodyBytes)
  const body = request.body()
  const safe = (value: unknown) => {
    refuseUnsafeValue(value, maxJsonValues)
    return value
  }
  if ('value' in body) {
    refuseForm(body.value)
    return use(safe(body.value))
  }
  const check = jsonTextCheck(maxJsonValues, bodyErrors(maxJsonValues))
  const limits = { maxBodyBytes, bodyTimeoutMs, budget: bodiesOf(owner), expectedBytes: expected, check }
  return readBody(body, limits, service.clock, (bytes) => use(safe(parse(textIn(bytes)))))
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
  const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^\s;"]*)/i.exec(contentType)?.[1]
  if (
    !/^application\/json[ \t]*(?:;|$)/i.test(contentType) ||
    (charset ?? 'utf-8').toLowerCase() !== 'utf-8'
  ) {
    throw unsupported('The request body must be application/json in UTF-8.', 'Content-Type')
  }
  const encoding = request.header('content-encoding')
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw unsupported('The request body may not be compressed.', 'Content-Encoding')
  }
}

function unsupported(message: string, param: string): GenerationError {
  return new GenerationError('unsupported_media_type', message, { param })
}
