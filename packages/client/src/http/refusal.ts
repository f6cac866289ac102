import { GenmountError } from '../errors/genmount-error.ts'
import { retryAfterMs } from './retry-after-ms.ts'

/**
 * The error that an answer stands for which is not what was asked for.
 * @param text the body of the answer
 */
export function refusal(response: Response, text: string): GenmountError {
  const { status, headers } = response
  const error = errorIn(text)
  return new GenmountError(
    error?.code ?? 'unexpected_answer',
    error?.message ?? `The server answered with the status ${status}, and not as a genmount service does.`,
    {
      status,
      param: error?.param ?? undefined,
      requestId: error?.request_id ?? headers.get('x-request-id') ?? undefined,
      retryAfterMs: retryAfterMs(response),
    },
  )
}

interface ErrorBody {
  readonly code?: string
  readonly message?: string
  readonly param?: string | null
  readonly request_id?: string
}

/** The error of the body `{"error":{...}}`. `undefined` for the body of somebody else. */
function errorIn(text: string): ErrorBody | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: ErrorBody }
    return typeof error?.code === 'string' ? error : undefined
  } catch {
    return undefined
  }
}
