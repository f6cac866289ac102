import { type Clock, isFinished, type Job, type JobNews, type JobWatcher } from '@genmount/core'
import {
  heartbeatText,
  previewText,
  progressText,
  retryText,
  stateId,
  stateText,
} from '../wire/event-text.ts'
import { jobText } from '../wire/job-reply.ts'
import { PulledText } from './pulled-text.ts'

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
 */
export class JobEventSource extends PulledText implements JobWatcher {
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
  #saidAt = 0

  /** @param seenId the id of the last event that the client has received */
  constructor(clock: Clock, baseUrl: string, seenId: string | undefined) {
    super()
    this.#clock = clock
    this.#baseUrl = baseUrl
    this.#seenId = seenId
  }

  /** Whether the job has finished and the client has already received its last event. */
  get hasNothingToTell(): boolean {
    return this.isOver && this.#state === undefined
  }

  onChange(job: Job): void {
    const id = stateId(job)
    if (id === this.#seenId) return
    this.#seenId = id
    this.#state = job
    this.wake()
  }

  onNews(news: JobNews): void {
    if (news.progress !== undefined || news.queuePosition !== undefined) this.#news = news
    this.#preview = news.preview ?? this.#preview
    this.wake()
  }

  onLook(): void {
    if (this.#clock.uptime() - this.#saidAt >= heartbeatMs) this.giveNow(heartbeatText)
  }

  onEnd(): void {
    this.isOver = true
    this.wake()
  }

  override next(): Promise<string | undefined> {
    this.#saidAt = this.#clock.uptime()
    return super.next()
  }

  cancel(): void {
    this.endWatch?.()
    this.#isBegun = true
    this.#state = this.#news = this.#preview = undefined
    this.onEnd()
  }

  protected takePiece(): string {
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
