import { GenmountError } from '@genmount/client'
import { exitCodes } from './exit-codes.ts'
import type { Session } from './session.ts'
import { UsageError } from './usage-error.ts'

/** An error for the user. */
export interface Explained {
  readonly code: string
  readonly message: string
  /** What to do. */
  readonly advice: string | undefined
  readonly exitCode: number
  readonly error?: GenmountError
}

/** Turns an error into a text that says what is wrong and what to do. */
export function explain(error: unknown, session: Session): Explained {
  if (error instanceof UsageError)
    return { code: 'usage', message: error.message, advice: undefined, exitCode: exitCodes.usage }
  if ((error as Error).name === 'AbortError')
    return { code: 'aborted', message: 'Stopped.', advice: undefined, exitCode: exitCodes.interrupted }
  if (!(error instanceof GenmountError))
    return { code: 'fault', message: (error as Error).message, advice: undefined, exitCode: exitCodes.fault }
  const [exitCode, message, advice] = explanationOf(error, session)
  return { code: error.code, message, advice, exitCode, error }
}

type Told = readonly [exitCode: number, message: string, advice?: string | undefined]

function explanationOf(error: GenmountError, { url = 'The server', keySource }: Session): Told {
  const { code, message, status, param, requestId, retryAfterMs, job } = error
  switch (code) {
    case 'aborted':
      return [exitCodes.interrupted, 'Stopped.']
    case 'network_error':
      return [
        exitCodes.unreachable,
        `${url} can't be reached, or the connection broke${reason(error)}.`,
        'Is the server running? "genmount serve" starts one; --url or GENMOUNT_URL names another.',
      ]
    case 'timeout':
      return [exitCodes.unreachable, `${url}: ${message}`, 'Try again later.']
    case 'route_not_found':
    case 'unexpected_answer':
      if (status === undefined && param !== undefined) return [exitCodes.unreachable, `${url}: ${message}`]
      return [
        exitCodes.unreachable,
        `${url} answered${status === undefined ? '' : ` with the status ${status}`}, but not as a genmount server does.`,
        'The address must be the part in front of /v1, such as https://example.org/media.',
      ]
    case 'missing_api_key':
      return [
        exitCodes.key,
        `${url} asks for a key.`,
        'Set the variable GENMOUNT_API_KEY to the key, or name the file that has it with --key-file.',
      ]
    case 'invalid_api_key':
      return [
        exitCodes.key,
        `${url} does not accept the key${keySource === undefined ? '' : ` from ${keySource}`}.`,
        'Set the variable GENMOUNT_API_KEY to the right key, or name the file that has it with --key-file.',
      ]
    case 'model_not_found':
      return [exitCodes.refused, message, '"genmount models" lists those of the server.']
    case 'job_not_found':
      return [exitCodes.refused, message, '"genmount jobs" lists those that are kept.']
  }
  if (status === undefined && job)
    return [exitCodes.jobFailed, `The job ${job.id} has failed (${code}): ${message}`]
  if (status === 401 || status === 403) return [exitCodes.key, message]
  const isTheirs = status === undefined || status >= 500
  return [
    isTheirs ? exitCodes.unreachable : exitCodes.refused,
    isTheirs && requestId !== undefined ? `${message} (request ${requestId})` : message,
    retryAfterMs === undefined ? undefined : `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`,
  ]
}

/** The error code of the operating system, if the cause has one. */
function reason({ cause }: GenmountError): string {
  for (let below = cause; below instanceof Error; below = below.cause) {
    const { code } = below as NodeJS.ErrnoException
    if (typeof code === 'string') return ` (${code})`
  }
  return ''
}
