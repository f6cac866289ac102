import { GenmountError } from '../errors/genmount-error.ts'
import { retryAfterMs } from './retry-after-ms.ts'

/**
 * The error for an answer that is not the expected one.
 * @param text the body of the answer
 */
export function refusal(response: Response, text: string): GenmountError {
  const { status, headers } = response
  const error = errorIn(text)
  return new GenmountError(
    error?.code ?? 'unexpected_answer',
    error?.message ?? `The answer ${status} does not come from a genmount service.`,
    {
      status,
      param: error?.param ?? undefined,
      requestId: error?.request_id ?? headers.get('x-request-id') ?? undefined,
      retryAfterMs: retryAfterMs(response),
    },
  )
}

interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly param?: string | null
  readonly request_id?: string
}

/** The error in a body of the form `{"error":{...}}`. `undefined` for any other body, such as that of a proxy. */
function errorIn(text: string): ErrorBody | undefined {
  const { error } = (parsed(text) ?? {}) as { readonly error?: ErrorBody }
  const { code, message, param, request_id } = error ?? {}
  const isOurs = [code, message, param ?? '', request_id ?? ''].every((part) => typeof part === 'string')
  return isOurs ? error : undefined
}

/** Parses JSON. @returns `undefined` for any other text */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
