import type { GenerationProgress } from '../client/client-options.ts'
import { refusal } from '../http/refusal.ts'
import { type Guarded, jsonIn, type Send } from '../http/create-sender.ts'
import type { Job } from '../wire/job.ts'
import { jobPath } from '../wire/job-path.ts'
import { eventReader } from './event-reader.ts'

/** The service sends a comment at least every 15 seconds. A stream without data for this long counts as broken. */
const silenceMs = 45_000

/** What the event streams of a job have brought so far. */
export interface Followed {
  readonly id: string
  job: Job | undefined
  lastId: string | undefined
  /** How long the client waits before it reconnects, in milliseconds, as the service asks. */
  retryMs: number
  /** The number of chunks that have arrived, over all streams. */
  pieces: number
  /** The number of events that have arrived, over all streams. */
  events: number
  onJob(job: Job): void
  onProgress(progress: Partial<GenerationProgress>): void
}

/**
 * Whether this runtime can read a body while it arrives. The `fetch` of React Native returns a body only as a whole.
 */
export function canStream(): boolean {
  return 'body' in Response.prototype && typeof TextDecoder === 'function'
}

/**
 * Reads the events of a job until the stream ends, which may be before the job has finished.
 * @throws GenmountError when the service refuses the stream, or when the stream breaks
 */
export function followEvents(send: Send, followed: Followed, signal: AbortSignal | undefined): Promise<void> {
  const { id, lastId } = followed
  return send({
    path: `${jobPath(id)}/events`,
    headers: { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) },
    signal,
    isRepeatable: false,
    timeoutMs: silenceMs,
    read: (response, guarded) => readEvents(response, guarded, followed),
  })
}

async function readEvents(response: Response, guarded: Guarded, followed: Followed): Promise<void> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  // A `fetch` that the app has given may return a body that is a stream of Node.
  const reader = isStream && response.body?.getReader?.()
  if (!reader) throw refusal(response, '')
  const decoder = new TextDecoder()
  const events = eventReader()
  try {
    for (;;) {
      const { done, value } = await guarded(reader.read())
      if (done) return
      followed.pieces++
      for (const { name, data } of events.take(decoder.decode(value, { stream: true }))) {
        followed.events++
        if (name === 'progress') {
          const { progress, queue_position: queuePosition } = jsonIn<Record<string, number>>(response, data)
          followed.onProgress({ progress, queuePosition })
        } else if (name === 'preview') followed.onProgress({ preview: data })
        else followed.onJob(jsonIn<Job>(response, data))
        if (name === 'done') return
      }
      followed.lastId = events.lastId ?? followed.lastId
      followed.retryMs = events.retryMs ?? followed.retryMs
    }
  } finally {
    // So that the sender can cancel the stream.
    reader.releaseLock()
  }
}
