import { PulledText } from '@genmount/v1-interface'
import { resultOrError } from '../results/error-result.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import type { AnswerForm, HeldCall, HeldMessage } from './held-call.ts'
import { resultOfPending } from './pending-call.ts'
import { progressNotification } from './progress-notification.ts'

/** As the events of /v1: Bun's server closes a connection that was silent for 10 seconds. */
const heartbeatMs = 4000

/**
 * The answer to a request with calls that wait for their jobs, as text that is produced while it is sent. It waits for
 * one call after the other, and all of them together for as long as a call may wait.
 */
export class HeldAnswer extends PulledText {
  /** Resolves when no call waits any more. */
  readonly over: Promise<void>
  #context: ToolContext
  #form: AnswerForm
  #leaving = new AbortController()
  #heartbeat: ReturnType<typeof setInterval> | undefined
  /** Messages that were not sent yet. */
  #text = ''
  /** The newest progress that was not sent yet, so that a slow client takes no memory. */
  #progress = ''

  constructor(messages: readonly HeldMessage[], context: ToolContext, form: AnswerForm) {
    super()
    this.#context = context
    this.#form = form
    this.over = this.#run(messages)
  }

  override next(): Promise<string | undefined> {
    if (!this.isOver) this.#heartbeat ??= setInterval(() => this.giveNow(this.#form.heartbeat), heartbeatMs)
    return super.next()
  }

  /** The whole text, when no call waits any more, for a client that does not take it piece by piece. */
  whole(): string {
    return this.takePiece()
  }

  cancel(): void {
    this.#leaving.abort()
    this.#end()
  }

  async #run(messages: readonly HeldMessage[]): Promise<void> {
    const endsAt = performance.now() + this.#context.settings.waitMs
    for (const { message, held } of messages) {
      const result = held && (await this.#resultOf(held, endsAt - performance.now()))
      // The SDK has written the rest of the message, such as the name of the server.
      const whole = result ? { ...message, result: { ...message.result, ...result } } : message
      this.#text += this.#form.write(whole)
      this.#progress = ''
      this.wake()
    }
    this.#end()
  }

  #resultOf({ call, progressToken }: HeldCall, waitMs: number) {
    const { signal } = this.#leaving
    const onProgress = (progress: number, message: string) => {
      const notification = progressNotification(progressToken!, progress, message)
      this.#progress = this.#form.write({ jsonrpc: '2.0', ...notification })
      this.wake()
    }
    const waiting = { signal, waitMs, onProgress: progressToken === undefined ? undefined : onProgress }
    return resultOrError(signal, console.error, () => resultOfPending(this.#context, call, waiting))
  }

  #end(): void {
    this.isOver = true
    clearInterval(this.#heartbeat)
    this.wake()
  }

  protected takePiece(): string {
    const piece = this.#progress + this.#text
    this.#progress = this.#text = ''
    return piece
  }
}
