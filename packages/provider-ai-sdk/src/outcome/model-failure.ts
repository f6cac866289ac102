import {
  failed,
  type FailedReport,
  messageOf,
  pollFailure,
  recordOf,
  type RefusedReport,
  type Scrub,
  scrubbedFault,
  submitFailure,
  unknownNow,
  type UnknownReport,
  type VendorAnswer,
} from '@genmount/vendor-http'

/** What is read of an error of the AI SDK, by its shape: every package can bring a class of its own. */
interface ModelError {
  readonly name?: unknown
  readonly message?: unknown
  readonly statusCode?: unknown
  readonly responseHeaders?: Record<string, string>
  readonly responseBody?: unknown
  readonly requestBodyValues?: unknown
  readonly isRetryable?: unknown
}

type Failure = FailedReport | RefusedReport

/** Thrown before anything is sent: options that the model does not take, or a key that is missing. */
const neverSent = ['AI_InvalidArgumentError', 'AI_InvalidPromptError', 'AI_UnsupportedFunctionalityError']
const notSetUp = ['AI_LoadAPIKeyError', 'AI_LoadSettingError', 'AI_NoSuchModelError']

/** The vendor has said that it is over, and no file came of it. */
const ended = /^AI_InvalidResponseDataError$|_GENERATION_(ERROR|FAILED)$/

const policyWords =
  /content[ _-]?policy|moderat(ed|ion)|safety (system|filter|check)|nsfw|prohibited content/i
/** In a body only as a code: the words of a prompt can be echoed in it. */
const policyCode = /"(content_policy\w*|moderation_blocked)"/

/**
 * What an error of `doStart` or `doGenerate` means.
 * @param blocking given for `doGenerate`, which goes on to poll and download: only of the request with the prompt in it
 *   does a refusal, or a connection that was never made, say that nothing was taken on
 * @throws Error when the task may have been taken on
 */
export function startFailure(
  error: unknown,
  scrub: Scrub,
  blocking?: { readonly prompt?: string | undefined },
): Failure {
  const { name, isRetryable, requestBodyValues } = modelErrorOf(error)
  const message = scrub(textOf(error))
  if (neverSent.includes(String(name))) return failed('provider_rejected', message)
  if (notSetUp.includes(String(name)))
    return failed('provider_rejected', 'The model is not set up in this service.')
  const isFirst = !blocking || carriesPrompt(requestBodyValues, blocking.prompt)
  const answer = isFirst ? answerOf(error, scrub) : undefined
  if (answer) {
    const words = messageOf(answer.json) ?? message
    const failure = submitFailure(answer, { message: words })
    if (failure.state === 'failed') return isPolicy(error) ? failed('content_policy', words) : failure
    return isRetryable === false ? failed('provider_rejected', words) : failure
  }
  if (blocking && isEnd(error, message)) return toldFailure(message)
  // In a cause the service looks for a connection that was never made.
  throw new Error(message, isFirst ? { cause: scrubbedFault(error, scrub) } : undefined)
}

/** What an error of `doStatus` means. @throws Error when it is no news of the task */
export function statusFailure(error: unknown, scrub: Scrub): Failure | UnknownReport {
  const answer = answerOf(error, scrub)
  const message = scrub(textOf(error))
  if (answer) return pollFailure(answer, { message: messageOf(answer.json) ?? message })
  if (isEnd(error, message)) return toldStatus(message)
  throw new Error(message, { cause: scrubbedFault(error, scrub) })
}

/** What a model that was asked after a task tells of it in words: its end, or that there is no such task now. */
export function toldStatus(message: string): FailedReport | UnknownReport {
  const end = toldFailure(message)
  return end.code === 'provider_lost' ? unknownNow(message) : end
}

/** An end that a model tells of in words. One that has lost its task within its only call can't be asked again. */
export function toldFailure(message: string): FailedReport {
  if (policyWords.test(message)) return failed('content_policy', message)
  if (/^not found$|task not found/i.test(message)) return failed('provider_lost', message)
  return /\bno (valid )?(video|image|output|result)|without output/i.test(message)
    ? failed('output_invalid', 'The provider has finished, but there is no output.')
    : failed('provider_failed', message)
}

/** An error with a request tells of the connection, and not of the task. */
function isEnd(error: unknown, message: string): boolean {
  const { name, statusCode, requestBodyValues } = modelErrorOf(error)
  if (statusCode !== undefined || requestBodyValues !== undefined) return false
  return ended.test(String(name)) || policyWords.test(message)
}

/** An answer of the vendor as our other providers know it; `undefined` when there was none. */
function answerOf(error: unknown, scrub: Scrub): VendorAnswer | undefined {
  const { statusCode: status, responseHeaders, responseBody } = modelErrorOf(error)
  if (typeof status !== 'number') return undefined
  const text = typeof responseBody === 'string' ? scrub(responseBody) : ''
  const headers = new Headers(responseHeaders)
  return { ok: false, status, headers, bytes: new Uint8Array(), text, json: parsed(text) }
}

function isPolicy(error: unknown): boolean {
  return policyWords.test(textOf(error)) || policyCode.test(String(modelErrorOf(error).responseBody))
}

/** Where there is no prompt, any body will have to do; polls and downloads have none. */
function carriesPrompt(body: unknown, prompt = ''): boolean {
  if (typeof body !== 'object' || body === null || Object.keys(body).length === 0) return false
  return JSON.stringify(body).includes(JSON.stringify(prompt).slice(1, -1))
}

function modelErrorOf(error: unknown): ModelError {
  return recordOf(error)
}

function textOf(error: unknown): string {
  const { message } = modelErrorOf(error)
  return typeof message === 'string' && message !== '' ? message : 'The provider gave no reason.'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
