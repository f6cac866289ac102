import {
  type AnyModels,
  type Client,
  type GenerationProgress,
  GenmountError,
  type Job,
} from '@genmount/client'

interface Follower {
  readonly onJob: (job: Job) => void
  readonly onNews: (news: GenerationProgress) => void
  /** Called with the error when the service can't be reached, and without an error when it can be reached again. */
  readonly onLost: (error?: unknown) => void
  /** Called when the job no longer exists. */
  readonly onGone: () => void
  /** Aborting it stops the following. */
  readonly signal: AbortSignal
}

/**
 * How many jobs the page follows by event streams at a time. Browsers open six connections to a server of HTTP/1.1, and
 * each event stream takes one. The page polls the other jobs.
 */
const maxStreams = 3
const pollMs = 2500
/** How long the page waits before it tries an unreachable service again, in milliseconds. */
const retryMs = 3000

let streams = 0

/** Follows a job until it has finished. It continues after times without a connection. */
export async function followJob(client: Client<AnyModels>, id: string, follower: Follower): Promise<void> {
  const { signal } = follower
  let isOver = false
  const onJob = (job: Job) => {
    isOver = job.status !== 'processing'
    follower.onLost()
    follower.onJob(job)
  }
  for (;;) {
    try {
      if (streams < maxStreams) await followEvents(client, id, { ...follower, onJob })
      else {
        await pause(pollMs)
        onJob(await client.get(id, { signal }))
      }
      if (isOver) return
    } catch (error) {
      // The job itself has failed. `onJob` has already been called with it.
      if (isOver || signal.aborted) return
      if (isGone(error)) return follower.onGone()
      follower.onLost(error)
      await pause(Math.max(retryMs, (error instanceof GenmountError && error.retryAfterMs) || 0))
    }
  }
}

async function followEvents(client: Client<AnyModels>, id: string, follower: Follower): Promise<void> {
  streams++
  try {
    const onProgress = (news: GenerationProgress) => {
      follower.onLost()
      follower.onNews(news)
    }
    await client.wait(id, { onJob: follower.onJob, onProgress, signal: follower.signal })
  } finally {
    streams--
  }
}

function isGone(error: unknown): boolean {
  return error instanceof GenmountError && error.status === 404
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, milliseconds))
}
