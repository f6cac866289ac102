import type { ToolContext } from '../tools/tool-context.ts'
import { HeldAnswer } from '../waiting/held-answer.ts'
import { type AnswerForm, answerForm, type HeldCall, messagesIn } from '../waiting/held-call.ts'
import { streamOfText } from './text-streams.ts'

/**
 * How many answers that wait are streams, in all of the process. Deno 2.9 holds 41 kB of its own for each open stream of a
 * response, and 1 kB for a response that is made later.
 */
const maxStreams = 'Deno' in globalThis ? 100 : Infinity
/** Many proxies close a connection that was silent for a minute, in milliseconds. */
const longestSilenceMs = 60_000
let openStreams = 0

/** The SDK's answer to a request. */
export interface SdkAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * Reads the whole answer of the SDK to the request. The SDK gets a request without the body, which it does not need, and with
 * a signal of its own: it listens to the signal of a request until the request ends, and what listens holds 14 kB.
 */
export async function sdkAnswer(
  { url, method, headers, signal }: Request,
  answer: (request: Request) => Promise<Response>,
): Promise<SdkAnswer> {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave)
  try {
    const response = await answer(new Request(url, { method, headers, signal: leaving.signal }))
    return { status: response.status, headers: response.headers, text: await response.text() }
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/**
 * Makes the response to calls of tools from the SDK's answer, which has a stand-in for each call that waits. `isOver`
 * resolves when the body of the request is no longer needed.
 */
export function answerTo(
  request: Request,
  { status, headers, text }: SdkAnswer,
  calls: readonly HeldCall[],
  context: ToolContext,
) {
  if (calls.length === 0) return { response: new Response(text || null, { status, headers }) }
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const form = answerForm(isStream, calls)
  const answer = new HeldAnswer(messagesIn(text, isStream, calls), context, form)
  return {
    response: isStreamed(calls, context) ? streamed(answer, form, request) : late(answer, form, request),
    // Where calls follow their jobs through the client, it keeps these with their inputs.
    isOver: context.watch ? undefined : answer.over,
  }
}

/** Where streams are few, only answers that have something to send before their end are streams. */
function isStreamed(calls: readonly HeldCall[], { settings }: ToolContext): boolean {
  if (openStreams >= maxStreams) return false
  const isLong = settings.waitMs > longestSilenceMs
  return maxStreams === Infinity || isLong || calls.some(({ progressToken }) => progressToken !== undefined)
}

function streamed(answer: HeldAnswer, { headers }: AnswerForm, request: Request): Response {
  openStreams++
  void answer.over.then(() => openStreams--)
  return new Response(streamOfText(answer, request), { headers })
}

/** A response that begins when no call waits any more. It has no progress and no heartbeats. */
function late(answer: HeldAnswer, { headers }: AnswerForm, { signal }: Request): Promise<Response> {
  const cancel = () => answer.cancel()
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  return answer.over.then(() => new Response(answer.whole(), { headers }))
}
