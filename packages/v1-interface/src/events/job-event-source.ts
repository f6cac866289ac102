import { type Clock, isFinished, type Job, type JobNews, type JobWatcher } from '@genmount/core'
import type { TextSource } from '../interface/v1-request.ts'
import {
  heartbeatText,
  previewText,
  progressText,
  retryText,
  stateId,
  stateText,
} from '../wire/event-text.ts'
import { jobText } from '../wire/job-reply.ts'

/**
 * After this many milliseconds without an event, the next look at the job sends a comment, which is 7 seconds after the
 * event at the latest. Without it, a proxy or the server could close the connection as idle. Bun's server does so after
 * 10 seconds, which it measures in steps of 4: https://bun.com/docs/runtime/http/server.
 */
const heartbeatMs = 4000

/**
 * The events of a job as text for one client. It is also the watcher that receives the changes of the job. Each piece
 * contains only the newest state, progress and preview since the last piece. A state or a progress that the client
 * already has is not sent again.
 *
 * This is a class, because thousands of clients may listen, and closures would take three times as much memory.
 */
export class JobEventSource implements TextSource, JobWatcher {
  /** Ends the watch of the job. */
  endWatch: (() => void) | undefined
  #clock: Clock
  #baseUrl: string
  #seenId: string | undefined
  #state: Job | undefined
  #news: JobNews | undefined
  #preview: JobNews['preview']
  #lastProgress = ''
  #isBegun = false
  #isOver = false
  #give: ((piece: string | undefined) => void) | undefined
  #saidAt = 0

  /** @param seenId the id of the last event that the client has received */
  constructor(clock: Clock, baseUrl: string, seenId: string | undefined) {
    this.#clock = clock
    this.#baseUrl = baseUrl
    this.#seenId = seenId
  }

  /** Whether the job has finished and the client has already received its last event. */
  get hasNothingToTell(): boolean {
    return this.#isOver && this.#state === undefined
  }

  onChange(job: Job): void {
    const id = stateId(job)
    if (id === this.#seenId) return
    this.#seenId = id
    this.#state = job
    this.#wake()
  }

  onNews(news: JobNews): void {
    if (news.progress !== undefined || news.queuePosition !== undefined) this.#news = news
    this.#preview = news.preview ?? this.#preview
    this.#wake()
  }

  onLook(): void {
    if (this.#clock.uptime() - this.#saidAt >= heartbeatMs) this.#giveNow(heartbeatText)
  }

  onEnd(): void {
    this.#isOver = true
    this.#wake()
  }

  next(): Promise<string | undefined> {
    const piece = this.#takePiece()
    this.#saidAt = this.#clock.uptime()
    if (piece !== '' || this.#isOver) return Promise.resolve(piece === '' ? undefined : piece)
    return new Promise((resolve) => void (this.#give = resolve))
  }

  cancel(): void {
    this.endWatch?.()
    this.#isBegun = true
    this.#state = this.#news = this.#preview = undefined
    this.onEnd()
  }

  /** Gives the current text to the caller that waits for the next piece. */
  #wake(): void {
    if (!this.#give) return
    const piece = this.#takePiece()
    if (piece !== '' || this.#isOver) this.#giveNow(piece)
  }

  #giveNow(piece: string): void {
    const give = this.#give
    this.#give = undefined
    give?.(piece === '' ? undefined : piece)
  }

  #takePiece(): string {
    const [state, news, preview] = [this.#state, this.#news, this.#preview]
    let piece = this.#isBegun ? '' : retryText
    this.#isBegun = true
    this.#state = this.#news = this.#preview = undefined
    if (state) piece += stateText(state, jobText(state, this.#baseUrl))
    if (state && isFinished(state)) return piece
    const progress = news ? progressText(news) : ''
    if (progress !== this.#lastProgress) piece += progress
    if (progress !== '') this.#lastProgress = progress
    return preview ? piece + previewText(preview) : piece
  }
}
