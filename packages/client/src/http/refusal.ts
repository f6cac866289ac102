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
    textIn(error?.message) ??
      `The server answered with the status ${status}, but not in the form of a genmount service.`,
    {
      status,
      param: textIn(error?.param),
      requestId: textIn(error?.request_id) ?? headers.get('x-request-id') ?? undefined,
      retryAfterMs: retryAfterMs(response),
    },
  )
}

interface ErrorBody {
  readonly code?: string
  readonly message?: unknown
  readonly param?: unknown
  readonly request_id?: unknown
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The error in a body of the form `{"error":{...}}`. `undefined` for any other body, such as that of a proxy. */
function errorIn(text: string): ErrorBody | undefined {
  const { error } = (parsed(text) ?? {}) as { readonly error?: ErrorBody }
  return typeof error?.code === 'string' ? error : undefined
}

/** Parses JSON. @returns `undefined` for any other text */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
