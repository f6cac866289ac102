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

/** After how many milliseconds without an event a comment is sent, so that no proxy takes the connection for dead. */
const heartbeatMs = 15_000

/** The events of one job for one client. */
export interface JobEventSource extends TextSource {
  /** Takes what becomes of the job. */
  readonly watcher: JobWatcher
  /** Whether the job has finished and the client has seen its end before. */
  hasNothingToTell(): boolean
}

/**
 * Makes the text of a job's events. Of what has happened since the last piece only the newest state, progress and
 * preview are in the next one. A state that the client has seen is not told again, and neither is the same progress.
 * @param seenId the id of the last event that the client has got
 * @param onCancel called when the client is gone
 */
export function jobEventSource(
  clock: Clock,
  baseUrl: string,
  seenId: string | undefined,
  onCancel: () => void,
): JobEventSource {
  let state: Job | undefined
  let news: JobNews | undefined
  let preview: JobNews['preview']
  let lastProgress = ''
  let beginning = retryText
  let isOver = false
  let give: ((piece: string | undefined) => void) | undefined
  let cancelHeartbeat = () => {}

  function takePiece(): string {
    const isEnd = state && isFinished(state)
    const progress = isEnd || !news ? '' : progressText(news)
    const told = state ? stateText(state, jobText(state, baseUrl)) : ''
    const isNew = progress !== lastProgress
    const piece = beginning + told + (isNew ? progress : '') + (preview && !isEnd ? previewText(preview) : '')
    if (progress !== '') lastProgress = progress
    beginning = ''
    state = news = preview = undefined
    return piece
  }

  /** Gives whoever waits what there is now. */
  function wake(): void {
    if (!give) return
    const piece = takePiece()
    if (piece !== '' || isOver) giveNow(piece)
  }

  function giveNow(piece: string): void {
    cancelHeartbeat()
    give?.(piece === '' ? undefined : piece)
    give = undefined
  }

  return {
    hasNothingToTell: () => isOver && state === undefined,
    watcher: {
      onChange(job) {
        const id = stateId(job)
        if (id === seenId) return
        seenId = id
        state = job
        wake()
      },
      onNews(told) {
        if (told.progress !== undefined || told.queuePosition !== undefined) news = told
        preview = told.preview ?? preview
        wake()
      },
      onEnd() {
        isOver = true
        wake()
      },
    },
    next() {
      const piece = takePiece()
      if (piece !== '' || isOver) return Promise.resolve(piece === '' ? undefined : piece)
      return new Promise((resolve) => {
        give = resolve
        cancelHeartbeat = clock.after(heartbeatMs, () => giveNow(heartbeatText))
      })
    },
    cancel() {
      if (!isOver) onCancel()
      isOver = true
      beginning = ''
      state = news = preview = undefined
      wake()
    },
  }
}
