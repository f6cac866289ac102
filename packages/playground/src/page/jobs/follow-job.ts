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
  /** Called with the reason when the service can't be asked, and with nothing when it can be again. */
  readonly onLost: (error?: unknown) => void
  /** Called when the job is not there any more. */
  readonly onGone: () => void
  /** Ends the following. */
  readonly signal: AbortSignal
}

/**
 * How many jobs are followed by their events at a time. Browsers open six connections to a server of HTTP/1.1, and events
 * take one for each job; the other jobs are polled.
 */
const maxStreams = 3
const pollMs = 2500
/** After how many milliseconds a service that could not be reached is asked again. */
const retryMs = 3000

let streams = 0

/** Follows a job until it has ended, also through times without a connection. */
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
      // The failure of the job itself, which `onJob` has told.
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
