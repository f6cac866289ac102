import type { CallToolResult, ProgressToken, RequestId } from '@modelcontextprotocol/server'
import type { PendingCall } from './pending-call.ts'

/** A call over HTTP that waits for its job, without the SDK, whose objects take 34 kB for each request. */
export interface HeldCall {
  readonly id: RequestId
  readonly call: PendingCall
  /** `undefined` if the client did not ask for progress. */
  readonly progressToken: ProgressToken | undefined
}

/** Takes a call that waits. @returns the result that the SDK sends in place of the call's own */
export type Hold = (held: HeldCall) => CallToolResult

/** An answer of the SDK, and what waits for a job in it. */
export interface HeldMessage {
  readonly message: { readonly id?: RequestId; readonly result?: object }
  readonly held: HeldCall | undefined
}

/** The headers of a stream of messages, as the SDK sends them. */
const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** How an answer writes its messages: a single one as JSON, or any number of them as server-sent events. */
export interface AnswerForm {
  readonly headers: Readonly<Record<string, string>>
  /** Text between messages that keeps proxies and servers from closing the connection as idle. */
  readonly heartbeat: string
  write(message: object): string
}

const eventForm: AnswerForm = {
  headers: streamHeaders,
  heartbeat: ': keepalive\n\n',
  write: (message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`,
}

const jsonForm: AnswerForm = {
  headers: { 'content-type': 'application/json' },
  // Space in front of a JSON value means nothing (RFC 8259 section 2).
  heartbeat: ' ',
  write: (message) => JSON.stringify(message),
}

/** The messages in an answer of the SDK, of which some may stand in for those of calls that wait. */
export function messagesIn(text: string, isStream: boolean, calls: readonly HeldCall[]): HeldMessage[] {
  const texts = isStream ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data!) : [text]
  return texts.map((each) => {
    const message = JSON.parse(each) as HeldMessage['message']
    return { message, held: calls.find(({ id }) => id === message.id) }
  })
}

/** An answer is a stream if that of the SDK is one, or if a call is to report progress. */
export function answerForm(isStream: boolean, calls: readonly HeldCall[]): AnswerForm {
  return isStream || calls.some(({ progressToken }) => progressToken !== undefined) ? eventForm : jsonForm
}
