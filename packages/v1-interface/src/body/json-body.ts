import { GenerationError } from '@genmount/core'
import type { RouteContext } from '../interface/exchange.ts'
import type { V1Request } from '../interface/v1-request.ts'
import { refuseDeepText, refuseUnsafeValue } from './json-limits.ts'
import { readText, tooLarge } from './read-body.ts'

/**
 * The JSON value in a request's body, read and parsed under the limits.
 * @throws GenerationError that says what is wrong with the body
 */
export async function jsonBody(request: V1Request, { service, options }: RouteContext): Promise<unknown> {
  checkMediaType(request)
  const declaredBytes = Number(request.header('content-length') ?? 0)
  if (declaredBytes > options.maxBodyBytes) throw tooLarge(options.maxBodyBytes)
  const body = request.body()
  const value = 'value' in body ? body.value : parse(await readText(body, options, service.clock))
  refuseUnsafeValue(value)
  return value
}

function parse(text: string): unknown {
  if (text === '')
    throw new GenerationError('invalid_json', 'The request body is empty; it must be a JSON object.')
  refuseDeepText(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new GenerationError('invalid_json', 'The request body is not valid JSON.')
  }
}

function checkMediaType(request: V1Request): void {
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
