import type { GenerationProgress, WaitOptions } from '../client/client-options.ts'
import { GenmountError } from '../errors/genmount-error.ts'
import type { Send } from '../http/create-sender.ts'
import { jittered, pause } from '../http/pause.ts'
import { isPassing } from '../http/retry-pause.ts'
import type { Job } from '../wire/job.ts'
import { canStream, type Followed, followEvents } from './follow-events.ts'
import { type Look, pollMs, readLook } from './look.ts'

/** After so many streams in a row that brought no event, the job is polled. */
const maxVainStreams = 3

/**
 * Follows a job until it has finished: by its events, and where these can't be had or bring nothing, by polls.
 * @param known the job, where the service has given it a moment ago
 * @returns the finished job, failed or not
 * @throws GenmountError that has the job as it was last known
 */
export async function followJob(send: Send, id: string, options: WaitOptions, known?: Look): Promise<Job> {
  const { signal, onJob, onProgress } = options
  let latest: GenerationProgress = { progress: undefined, queuePosition: undefined, preview: undefined }
  const followed: Followed = {
    id,
    job: undefined,
    lastId: undefined,
    retryMs: pollMs,
    pieces: 0,
    events: 0,
    onJob(job) {
      const looksNew = JSON.stringify(job) !== JSON.stringify(followed.job)
      followed.job = job
      if (looksNew) onJob?.(job)
    },
    onProgress(news) {
      latest = { ...latest, ...news }
      onProgress?.(latest)
    },
  }
  const isOver = () => followed.job !== undefined && followed.job.status !== 'processing'
  try {
    let look = known
    if (look) followed.onJob(look.job)
    if (!isOver() && canStream()) {
      await followStreams(send, followed, signal, isOver)
      look = undefined
    }
    while (!isOver()) {
      if (look) await pause(jittered(look.pauseMs), signal)
      look = await send({ path: `/jobs/${encodeURIComponent(id)}`, signal, read: readLook })
      followed.onJob(look.job)
    }
    return followed.job!
  } catch (error) {
    if (!(error instanceof GenmountError)) throw error
    throw new GenmountError(error.code, error.message, { ...error, cause: error.cause, job: followed.job })
  }
}

/** Returns when the job is over, and when events do not lead further. */
async function followStreams(
  send: Send,
  followed: Followed,
  signal: AbortSignal | undefined,
  isOver: () => boolean,
): Promise<void> {
  for (let vain = 0; vain < maxVainStreams;) {
    const { pieces, events } = followed
    let pauseMs = followed.retryMs
    try {
      await followEvents(send, followed, signal)
    } catch (error) {
      if (!(error instanceof GenmountError) || error.code === 'aborted') throw error
      // The service has no events; or something between holds them back until the end.
      if (!isPassing(error) || (error.code === 'timeout' && followed.pieces === pieces)) return
      pauseMs = Math.max(error.retryAfterMs ?? 0, followed.retryMs)
    }
    if (isOver()) return
    vain = followed.events > events ? 0 : vain + 1
    await pause(jittered(pauseMs), signal)
  }
}
