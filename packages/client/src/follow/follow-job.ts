import type { GenerationProgress, WaitOptions } from '../client/client-options.ts'
import { GenmountError } from '../errors/genmount-error.ts'
import type { Send } from '../http/create-sender.ts'
import { jittered, pause } from '../http/pause.ts'
import { isPassing } from '../http/retry-pause.ts'
import type { Job } from '../wire/job.ts'
import { jobPath } from '../wire/job-path.ts'
import { canStream, type Followed, followEvents } from './follow-events.ts'
import { type Look, pollMs, readLook } from './look.ts'

/** After this many consecutive event streams without an event, the client polls the job instead. */
const maxVainStreams = 3

/**
 * Follows a job until it has finished. It reads the job's events, and polls the job if events are not available or
 * bring nothing.
 * @param firstLook the job, if the service has sent it a moment ago
 * @returns the finished job, whether it completed or failed
 * @throws GenmountError that has the last known state of the job
 */
export async function followJob(
  send: Send,
  id: string,
  options: WaitOptions,
  firstLook?: Look,
): Promise<Job> {
  const { signal, onJob, onProgress } = options
  let latest = {} as GenerationProgress
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
    let look = firstLook
    if (look) followed.onJob(look.job)
    if (!isOver() && canStream()) {
      await followStreams(send, followed, signal, isOver)
      look = undefined
    }
    while (!isOver()) {
      if (look) await pause(jittered(look.pauseMs), signal)
      look = await send({ path: jobPath(id), signal, read: readLook })
      followed.onJob(look.job)
    }
    return followed.job!
  } catch (error) {
    throw error instanceof GenmountError ? Object.assign(error, { job: followed.job }) : error
  }
}

/** Returns when the job has finished, or when event streams do not work. */
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
      if (!(error instanceof GenmountError)) throw error
      // Either the service has no events, or a proxy holds the events back until the stream ends.
      if (!isPassing(error) || (error.code === 'timeout' && followed.pieces === pieces)) return
      pauseMs = Math.max(error.retryAfterMs ?? 0, followed.retryMs)
    }
    if (isOver()) return
    vain = followed.events > events ? 0 : vain + 1
    await pause(jittered(pauseMs), signal)
  }
}
