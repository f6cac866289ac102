import type { GenerationProgress } from '../client/client-options.ts'
import { refusal } from '../http/refusal.ts'
import type { Guarded, Send } from '../http/create-sender.ts'
import type { Job } from '../wire/job.ts'
import { eventReader } from './event-reader.ts'

/** The service sends a comment at least every 15 seconds, so a stream that is silent for so long has been lost. */
const silenceMs = 45_000

/** What is known of a job from its events, over all streams. */
export interface Followed {
  readonly id: string
  job: Job | undefined
  lastId: string | undefined
  /** After how many milliseconds the service wants a lost client back. */
  retryMs: number
  /** How many pieces of streams have come. */
  pieces: number
  /** How many events have come. */
  events: number
  onJob(job: Job): void
  onProgress(progress: Partial<GenerationProgress>): void
}

/** Whether a body can be read while it comes in: the fetch of React Native gives it only when it is whole. */
export function canStream(): boolean {
  return typeof Response === 'function' && 'body' in Response.prototype && typeof TextDecoder === 'function'
}

/**
 * Reads the events of a job until the stream ends, which it may do before the job has finished.
 * @throws GenmountError when the stream is refused or breaks
 */
export function followEvents(send: Send, followed: Followed, signal: AbortSignal | undefined): Promise<void> {
  const { id, lastId } = followed
  return send({
    path: `/jobs/${encodeURIComponent(id)}/events`,
    headers: { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) },
    signal,
    isRepeatable: false,
    timeoutMs: silenceMs,
    read: (response, guarded) => readEvents(response, guarded, followed),
  })
}

async function readEvents(response: Response, guarded: Guarded, followed: Followed): Promise<void> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  // The body that a fetch of the app gives may be a stream of Node.
  if (!isStream || typeof response.body?.getReader !== 'function') throw refusal(response, '')
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const events = eventReader()
  for (;;) {
    const { done, value } = await guarded(reader.read())
    if (done) return
    followed.pieces++
    for (const { name, data } of events.take(decoder.decode(value, { stream: true }))) {
      followed.events++
      if (name === 'progress') {
        const { progress, queue_position: queuePosition } = JSON.parse(data)
        followed.onProgress({ progress, queuePosition })
      } else if (name === 'preview') followed.onProgress({ preview: data })
      else followed.onJob(JSON.parse(data) as Job)
      if (name === 'done') return
    }
    followed.lastId = events.lastId ?? followed.lastId
    followed.retryMs = events.retryMs ?? followed.retryMs
  }
}
