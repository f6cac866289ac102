import type { ToolContext } from '../tools/tool-context.ts'
import { HeldAnswer } from '../waiting/held-answer.ts'
import { answerForm, type HeldCall, messagesIn } from '../waiting/held-call.ts'
import { streamOfText } from './text-streams.ts'

/**
 * Makes the response to calls of tools from the SDK's response, which has a stand-in for each call that waits. `isOver`
 * resolves when the body of the request is no longer needed.
 */
export async function answerTo(
  request: Request,
  response: Response,
  calls: readonly HeldCall[],
  context: ToolContext,
) {
  const { status, headers } = response
  const text = await response.text()
  if (calls.length === 0) return { response: new Response(text || null, { status, headers }) }
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const form = answerForm(isStream, calls)
  const answer = new HeldAnswer(messagesIn(text, isStream, calls), context, form)
  return {
    response: new Response(streamOfText(answer, request), { headers: form.headers }),
    // Where calls follow their jobs through the client, it keeps these with their inputs.
    isOver: context.watch ? undefined : answer.over,
  }
}
