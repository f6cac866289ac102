import type { ProviderReport } from '@genmount/core'
import { retryAfterMs } from './retry-after.ts'
import type { VendorAnswer } from './vendor-client.ts'

type Failure = Extract<ProviderReport, { state: 'refused' | 'failed' }>

/**
 * What an answer to a submit means that is not a success.
 * @throws Error when the task may have been taken on all the same: a timeout or a fault on the vendor's side
 */
export function submitFailure(answer: VendorAnswer, message = messageOf(answer.json)): Failure {
  const { status } = answer
  if (status === 429) return refused(answer, message)
  if (status === 401 || status === 403)
    return rejected('The provider does not accept the credentials of this service.')
  if (status === 402) return rejected('The account of this service at the provider has no credit left.')
  if (status >= 400 && status < 500 && status !== 408)
    return rejected(message ?? `The provider refused the task (${status}).`)
  throw unknown(answer, message)
}

/**
 * What an answer to a poll means that is not a success.
 * @throws Error when it is no news about the task
 */
export function pollFailure(answer: VendorAnswer, message = messageOf(answer.json)): Failure {
  const { status } = answer
  if (status === 429) return refused(answer, message)
  if (status === 404 || status === 410)
    return {
      state: 'failed',
      code: 'provider_lost',
      message: 'The provider does not know the task any more.',
    }
  throw unknown(answer, message)
}

/** The words of an error, wherever vendors put them: `detail`, `error.message`, `error` or `message`. */
export function messageOf(json: unknown): string | undefined {
  const { detail, error, message, title } = recordOf(json)
  const words = [textIn(detail), recordOf(error)['message'], error, message, title]
  return words.find((word): word is string => typeof word === 'string' && word !== '')
}

/** FastAPI's `detail` is a text or a list of `{ loc, msg }`. */
function textIn(detail: unknown): unknown {
  if (!Array.isArray(detail)) return detail
  const faults = detail.map((item) => {
    const { loc, msg } = recordOf(item)
    const place = Array.isArray(loc) ? loc.filter((part) => part !== 'body').join('.') : ''
    return typeof msg === 'string' ? [place, msg].filter(Boolean).join(': ') : ''
  })
  return faults.filter(Boolean).join('; ')
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function refused(answer: VendorAnswer, message = 'The provider is asked too often.'): Failure {
  return { state: 'refused', message, retryAfterMs: retryAfterMs(answer.headers) }
}

function rejected(message: string): Failure {
  return { state: 'failed', code: 'provider_rejected', message }
}

function unknown({ status }: VendorAnswer, message = 'no reason given'): Error {
  return new Error(`The provider answered with status ${status}: ${message}`)
}
