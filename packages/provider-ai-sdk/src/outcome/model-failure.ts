import {
  failed,
  failureBy,
  jsonIn,
  recordOf,
  type ReportOf,
  scrubbedFault,
  type VendorAnswer,
  vendorAnswer,
} from '@genmount/provider-kit'
import type { Scrub } from './without-keys.ts'

type Failure = ReportOf<'failed' | 'refused'>

/**
 * Errors that the AI SDK throws before it sends anything: options that the model does not accept, or a missing key. All
 * errors are read by the names of their parts, because each package can have its own copy of a class.
 */
const neverSent = ['AI_InvalidArgumentError', 'AI_InvalidPromptError', 'AI_UnsupportedFunctionalityError']
const notSetUp = ['AI_LoadAPIKeyError', 'AI_LoadSettingError', 'AI_NoSuchModelError']

/** Names of errors that say that the task has ended at the vendor without a file. */
const ended = /^AI_InvalidResponseDataError$|_GENERATION_(ERROR|FAILED)$/

const policyWords =
  /content[ _-]?policy|moderat(ed|ion)|safety (system|filter|check)|nsfw|prohibited content/i
/**
 * Only these codes in a body mean a content policy. Other words do not count, because the body can repeat the prompt.
 */
const policyCode = /"(content_policy\w*|moderation_blocked)"/

/**
 * Turns an error of `doStart` or `doGenerate` into a report.
 * @param blocking given for `doGenerate`, which also polls and downloads. Only the request that contains the prompt
 *   starts the task. So only when that request was refused, or its connection never made, is it certain that no task
 *   was started
 * @param modelName the model with its vendor, which the report names when the vendor does not have the model
 * @throws Error when the vendor may have accepted the task
 */
export function startFailure(
  error: unknown,
  scrub: Scrub,
  blocking?: { readonly prompt?: string | undefined },
  modelName?: string,
): Failure {
  const { name, isRetryable, requestBodyValues } = recordOf(error)
  const message = scrub(textOf(error))
  if (neverSent.includes(String(name))) return failed('provider_rejected', message)
  if (notSetUp.includes(String(name))) {
    const notReady = failed('provider_rejected', 'The model is not set up in this service.')
    return { ...notReady, isAccountAtFault: true, cause: new Error(message) }
  }
  const isFirst = !blocking || carriesPrompt(requestBodyValues, blocking.prompt)
  const answer = isFirst ? answerOf(error, scrub) : undefined
  if (answer) {
    const words = answer.message ?? message
    const failure = answer.submitFailure({ message: words, modelName: modelName })
    if (failure.state === 'failed') return isPolicy(error) ? failed('content_policy', words) : failure
    return isRetryable === false ? failed('provider_rejected', words) : failure
  }
  if (blocking && isEnd(error, message)) return toldFailure(message)
  // The service looks in the cause for the code of a connection that was never made.
  throw new Error(message, isFirst ? { cause: scrubbedFault(error, scrub) } : undefined)
}

/** Turns an error of `doStatus` into a report. @throws Error when the error says nothing about the task */
export function statusFailure(error: unknown, scrub: Scrub): Failure | ReportOf<'unknown'> {
  const answer = answerOf(error, scrub)
  const message = scrub(textOf(error))
  if (answer) return answer.pollFailure({ message: answer.message ?? message })
  if (isEnd(error, message)) return toldStatus(message)
  throw new Error(message, { cause: scrubbedFault(error, scrub) })
}

/** Reads the message of a model that was polled: how the task has ended, or that it does not exist at the moment. */
export function toldStatus(message: string): ReportOf<'failed' | 'unknown'> {
  const end = toldFailure(message)
  return end.code === 'provider_lost' ? { state: 'unknown', message } : end
}

/**
 * Reads from a model's message how its task has ended. A task that was lost within a blocking call cannot be polled
 * again.
 */
export function toldFailure(message: string): ReportOf<'failed'> {
  if (failureBy([], message) === 'content_policy') return failed('content_policy', message)
  if (/^not found$|task not found/i.test(message)) return failed('provider_lost', message)
  return /\bno (valid )?(video|image|output|result)|without output/i.test(message)
    ? failed('output_invalid', 'The provider has finished, but there is no output.')
    : failed('provider_failed', message)
}

/**
 * Whether an error says that the task has ended. An error with a request in it is about the connection, and says
 * nothing.
 */
function isEnd(error: unknown, message: string): boolean {
  const { name, statusCode, requestBodyValues } = recordOf(error)
  if (statusCode !== undefined || requestBodyValues !== undefined) return false
  return ended.test(String(name)) || policyWords.test(message)
}

/** The vendor's answer, in the form that the other providers use; `undefined` when the error has no answer. */
function answerOf(error: unknown, scrub: Scrub): VendorAnswer | undefined {
  const { statusCode: status, responseHeaders, responseBody } = recordOf(error)
  if (typeof status !== 'number') return undefined
  const text = typeof responseBody === 'string' ? scrub(responseBody) : ''
  const headers = new Headers(responseHeaders as Record<string, string> | undefined)
  return vendorAnswer({ ok: false, status, headers, bytes: new Uint8Array(), text, json: jsonIn(text) })
}

function isPolicy(error: unknown): boolean {
  return policyWords.test(textOf(error)) || policyCode.test(String(recordOf(error)['responseBody']))
}

/** Whether a request contains the prompt. Without a prompt, any body counts, because polls and downloads have none. */
function carriesPrompt(body: unknown, prompt = ''): boolean {
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) return false
  return JSON.stringify(body).includes(JSON.stringify(prompt).slice(1, -1))
}

function textOf(error: unknown): string {
  const { message } = recordOf(error)
  return typeof message === 'string' && message !== '' ? message : 'The provider gave no reason.'
}
